#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "findings/progress_statements.h"
#include "report/ranks_of_hosts.h"
#include "report/section_lengths.h"
#include "report/statement_text.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string seconds(Nanoseconds time) { return fmt::format("{:.1f} s", static_cast<double>(time) / 1e9); }

std::string at(const std::string& line) { return line.empty() ? "" : " at " + terminal_text(line); }

std::string waiting_lines(const CommunicatorState& state, const RanksOfHosts& hosts) {
  const WaitingCollective& waiting = *state.waiting;
  std::string text = fmt::format("  {}: all have completed {}; number {} is {}{}\n", terminal_text(state.name),
                                 state.completed ? std::to_string(*state.completed) : "(not known)",
                                 waiting.call.sequence, text_of(described(waiting.call)), at(waiting.call.source_line));
  text += fmt::format("    called by {}, waiting for up to {}\n", hosts.list(waiting.entered), seconds(waiting.waited));
  if (!waiting.not_entered.empty()) text += fmt::format("    not called by {}\n", hosts.list(waiting.not_entered));
  for (const DifferentCall& different : waiting.different)
    text += fmt::format("    rank {} called {} instead{}\n", different.rank, text_of(described(different.call)),
                        at(different.call.source_line));
  if (waiting.without_log > 0) text += fmt::format("    {} of its members have no log\n", waiting.without_log);
  return text;
}

// Ranks of one host that do the same.
struct AlikeRanks {
  std::vector<int32_t> ranks;
  const RankState* first = nullptr;
  Nanoseconds silent_for = 0;  // the longest
  Nanoseconds doing_for = 0;   // the longest

  void add(const RankState& state) {
    if (first == nullptr) first = &state;
    ranks.push_back(state.rank);
    silent_for = std::max(silent_for, state.silent_for);
    doing_for = std::max(doing_for, state.doing_for);
  }
};

// A short list rank by rank, a long one by host and what the ranks do. By rank.
std::vector<AlikeRanks> alike_ranks(const std::vector<RankState>& states, const RanksOfHosts& hosts) {
  std::vector<AlikeRanks> alike;
  std::map<std::tuple<std::string, bool, bool, bool, std::string, std::string, int64_t, Phase>, size_t> known;
  for (const RankState& state : states) {
    const RankProgress& progress = state.progress;
    const auto [place, is_new] =
        known.try_emplace({hosts.host_of(state.rank), state.is_silent, progress.is_closed, progress.is_in_call,
                           progress.call, progress.source_line, progress.step, progress.phase},
                          alike.size());
    const bool is_folded = states.size() > kMostListedRanks && !is_new;
    if (!is_folded) alike.emplace_back();
    (is_folded ? alike[place->second] : alike.back()).add(state);
  }
  return alike;
}

std::vector<std::string> cells_of(const AlikeRanks& alike, const RanksOfHosts& hosts) {
  const RankProgress& progress = alike.first->progress;
  const bool is_one = alike.ranks.size() == 1;
  std::string doing = "no call recorded";
  if (!progress.call.empty())
    doing = fmt::format("{} {} for {}{}", progress.is_in_call ? "in" : "after", progress.call, is_one ? "" : "up to ",
                        seconds(alike.doing_for));
  if (!progress.source_line.empty()) doing += " at " + progress.source_line;
  if (progress.step >= 0) doing += fmt::format(", step {}", progress.step);
  if (progress.phase != Phase::kOther) doing += fmt::format(", {}", phase_name(progress.phase));
  return {is_one ? std::to_string(alike.ranks.front()) : hosts.name(alike.ranks), progress.is_closed ? "ended" : "open",
          seconds(alike.silent_for), doing};
}

// The first few of a list, and how many more there are.
template <class Range, class Render>
std::string lines_of(const Range& range, Render&& render) {
  std::string text;
  size_t lines = 0;
  for (const auto& value : range)
    if (++lines <= kMostProgressLines) text += render(value);
  return lines > kMostProgressLines
             ? text + fmt::format("  ... {} more in the JSON report\n", lines - kMostProgressLines)
             : text;
}

// A short list rank by rank, a long one by reason and host.
std::string suspects_text(const std::vector<Suspect>& suspects, const RanksOfHosts& hosts) {
  std::map<std::pair<SuspectReason, std::string>, std::vector<int32_t>> folded;
  if (suspects.size() > kMostListedRanks)
    for (const Suspect& one : suspects) folded[{one.reason, hosts.host_of(one.rank)}].push_back(one.rank);
  if (!folded.empty())
    return lines_of(folded, [&](const auto& alike) {
      return fmt::format("  look at {}: {}\n", hosts.name(alike.second), explanation_of(alike.first.first));
    });
  return lines_of(suspects, [](const Suspect& one) {
    return fmt::format("  look at rank {}: {}\n", one.rank, explanation_of(one.reason));
  });
}

}  // namespace

std::string progress_text(const RunMetrics& metrics, size_t width) {
  const JobProgress& progress = metrics.progress;
  if (progress.is_finished) return {};
  const RanksOfHosts hosts(metrics.ranks);
  const char* const what = progress.hangs() ? "hangs" : progress.is_stuck ? "waits" : "has not ended";
  std::string text = fmt::format("\nPROGRESS   (the job {})\n", what);
  text += suspects_text(progress.suspects, hosts);
  text += lines_of(progress.deadlocks, [](const std::vector<RankWait>& circle) {
    return fmt::format("  deadlock: {}\n", terminal_text(text_of(described(circle))));
  });
  std::vector<CommunicatorState> waiting;
  for (const CommunicatorState& state : progress.communicators)
    if (state.waiting && (!progress.is_stuck || state.is_stuck)) waiting.push_back(state);
  text += lines_of(waiting, [&](const CommunicatorState& state) { return waiting_lines(state, hosts); });
  text += lines_of(progress.messages, [](const WaitingMessage& message) {
    return fmt::format("  {}: {}, for {}\n", terminal_text(message.communicator),
                       terminal_text(text_of(described(message))), seconds(message.waited));
  });
  if (!progress.inside_nccl.empty())
    text += fmt::format("  inside NCCL, for whom is not recorded: {}\n", hosts.list(progress.inside_nccl));
  TextTable ranks({{"rank"}, {"log", true}, {"last sign"}, {"doing", true, 0, Fit::kWraps}});
  const std::vector<AlikeRanks> alike = alike_ranks(progress.ranks, hosts);
  for (size_t i = 0; i < std::min(alike.size(), kMostProgressLines); ++i) ranks.row(cells_of(alike[i], hosts));
  TextLines lines;
  lines.left_out(alike.size(), kMostProgressLines);
  return text + ranks.text(width) + lines.take();
}

}  // namespace tauprof
