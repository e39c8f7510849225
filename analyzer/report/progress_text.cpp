#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "findings/progress_texts.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string seconds(Nanoseconds time) { return fmt::format("{:.1f} s", static_cast<double>(time) / 1e9); }

std::string list_of(const std::vector<int32_t>& ranks) {
  constexpr size_t kMostNamed = 8;
  std::string text = ranks.size() == 1 ? "rank" : "ranks";
  for (size_t i = 0; i < ranks.size() && i < kMostNamed; ++i) text += fmt::format("{} {}", i == 0 ? "" : ",", ranks[i]);
  return ranks.size() > kMostNamed ? text + fmt::format(" and {} more", ranks.size() - kMostNamed) : text;
}

std::string at(const std::string& line) { return line.empty() ? "" : " at " + terminal_text(line); }

std::string waiting_lines(const CommunicatorState& state) {
  const WaitingCollective& waiting = *state.waiting;
  std::string text = fmt::format("  {}: all have completed {}; number {} is {}{}\n", terminal_text(state.name),
                                 state.completed ? std::to_string(*state.completed) : "(not known)",
                                 waiting.call.sequence, call_text(waiting.call), at(waiting.call.source_line));
  text += fmt::format("    called by {}, waiting for up to {}\n", list_of(waiting.entered), seconds(waiting.waited));
  if (!waiting.not_entered.empty()) text += fmt::format("    not called by {}\n", list_of(waiting.not_entered));
  for (const DifferentCall& different : waiting.different)
    text += fmt::format("    rank {} called {} instead{}\n", different.rank, call_text(different.call),
                        at(different.call.source_line));
  if (waiting.without_log > 0) text += fmt::format("    {} of its members have no log\n", waiting.without_log);
  return text;
}

std::vector<std::string> cells_of(const RankState& state) {
  const RankProgress& progress = state.progress;
  std::string doing = "no call recorded";
  if (!progress.call.empty())
    doing = fmt::format("{} {} for {}", progress.is_in_call ? "in" : "after", progress.call, seconds(state.doing_for));
  if (!progress.source_line.empty()) doing += " at " + progress.source_line;
  if (progress.step >= 0) doing += fmt::format(", step {}", progress.step);
  if (progress.phase != Phase::kOther) doing += fmt::format(", {}", phase_name(progress.phase));
  return {std::to_string(state.rank), progress.is_closed ? "ended" : "open", seconds(state.silent_for), doing};
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

}  // namespace

std::string progress_text(const JobProgress& progress, size_t width) {
  if (progress.is_finished) return {};
  const char* const what = progress.hangs() ? "hangs" : progress.is_stuck ? "waits" : "has not ended";
  std::string text = fmt::format("\nPROGRESS   (the job {})\n", what);
  text += lines_of(progress.suspects, [](const Suspect& suspect) {
    return fmt::format("  look at rank {}: {}\n", suspect.rank, explanation_of(suspect.reason));
  });
  text += lines_of(progress.deadlocks, [](const std::vector<RankWait>& circle) {
    return fmt::format("  deadlock: {}\n", terminal_text(circle_text(circle)));
  });
  std::vector<CommunicatorState> waiting;
  for (const CommunicatorState& state : progress.communicators)
    if (state.waiting && (!progress.is_stuck || state.is_stuck)) waiting.push_back(state);
  text += lines_of(waiting, waiting_lines);
  text += lines_of(progress.messages, [](const WaitingMessage& message) {
    return fmt::format("  {}: {}, for {}\n", terminal_text(message.communicator), terminal_text(message_text(message)),
                       seconds(message.waited));
  });
  if (!progress.inside_nccl.empty())
    text += fmt::format("  inside NCCL, for whom is not recorded: {}\n", list_of(progress.inside_nccl));
  TextTable ranks({{"rank"}, {"log", true}, {"last sign"}, {"doing", true, 0, Fit::kWraps}});
  for (size_t i = 0; i < std::min(progress.ranks.size(), kMostProgressLines); ++i)
    ranks.row(cells_of(progress.ranks[i]));
  TextLines lines;
  lines.left_out(progress.ranks.size(), kMostProgressLines);
  return text + ranks.text(width) + lines.take();
}

}  // namespace tauprof
