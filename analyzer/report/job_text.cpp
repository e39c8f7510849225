#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "limits/analysis_limits.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

constexpr size_t kLongestList = 90;  // of what stands on one line

std::string seconds_text(double seconds) { return duration_text(seconds * 1e9); }

// As many as a line holds.
std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (text.size() + items[i].size() > kLongestList) return text + fmt::format(", {} more", items.size() - i);
    text += (i == 0 ? "" : ", ") + items[i];
  }
  return text;
}

// Such as "1.581 backward-compute, 1.369 forward-compute", the largest first.
std::string largest(const SlowdownByKey& slowdowns, const char* prefix) {
  std::vector<SlowdownByKey::Key> keys = slowdowns.keys;
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.slowdown > b.slowdown; });
  std::vector<std::string> items;
  for (const SlowdownByKey::Key& key : keys)
    items.push_back(fmt::format("{:.3f} {}{}", key.slowdown, prefix, key.name));
  return listed(items);
}

std::string worst_workers(const StragglerAnswers& answers) {
  std::vector<RankScore> ranks = answers.ranks;
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const RankScore& a, const RankScore& b) { return a.slowdown > b.slowdown; });
  std::vector<std::string> items;
  for (const RankScore& rank : ranks)
    items.push_back(
        fmt::format("{:.3f} rank {} (dp {}, stage {})", *rank.slowdown, rank.rank, rank.dp_rank, rank.stage));
  return listed(items);
}

void decomposition(TextLines& lines, const Decomposition& parts) {
  lines.line("    operation   {}", largest(parts.by_type, ""));
  lines.line("    stage       {}", largest(parts.by_stage, "stage "));
  if (!parts.by_dp_rank.keys.empty()) lines.line("    dp rank     {}", largest(parts.by_dp_rank, "dp "));
}

void explanation(TextLines& lines, const char* name, const std::string& who, const Explanation& repair) {
  lines.line("  {:<13} {:>8}  of the slowdown goes with {}: {} a step if ideal", name, percent_text(repair.removed),
             who, seconds_text(repair.repaired_s));
}

std::string ranks_named(const std::vector<int32_t>& ranks) {
  return shortened(fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", ")), 36);
}

std::string share_of_slowdown(const Explanation& repair) {
  const double removed = repair.removed.value_or(0);
  if (removed >= 1) return "all of it";
  return removed <= 0 ? "nothing of it" : fmt::format("{:.0f} % of it", 100 * removed);
}

// The meaning of S, M_W and M_S, a sentence each.
void conclusions(TextLines& lines, const StragglerAnswers& answers) {
  lines.line("\nIN SHORT");
  lines.line("  Stragglers make a step {:.2f} times as long: {} instead of {}{}.", answers.slowdown,
             seconds_text(answers.without_delays_s), seconds_text(answers.ideal_to_update_s),
             answers.launch_slowdown < 1 - kWorthwhile || answers.launch_slowdown > 1 + kWorthwhile
                 ? fmt::format(", launch delays left out ({} as recorded)", seconds_text(answers.recorded_s))
                 : "");
  if (answers.worst_ranks)
    lines.line("  Repairing the slowest 3 % of ranks ({}) removes {}: {} a step.",
               ranks_named(answers.worst_ranks->ranks), share_of_slowdown(*answers.worst_ranks),
               seconds_text(answers.worst_ranks->repaired_s));
  lines.line("  Repairing the last stage ({}) removes {}: {} a step.", ranks_named(answers.last_stage.ranks),
             share_of_slowdown(answers.last_stage), seconds_text(answers.last_stage.repaired_s));
}

}  // namespace

std::string job_text(const StragglerAnswers& answers) {
  TextLines lines;
  conclusions(lines, answers);
  lines.line("\nWHAT IF   (no stragglers: every operation takes its type's mean or median)");
  const auto name = answers.job.find("trial_name");
  lines.line("  job           {}{} data-parallel rank{} of {} stage{}{}, {} operations each in a step",
             name == answers.job.end() ? std::string() : name->second + ": ", answers.data_parallel_size,
             answers.data_parallel_size == 1 ? "" : "s", answers.stages, answers.stages == 1 ? "" : "s",
             answers.chunks > 1 ? fmt::format(" with {} model chunks", answers.chunks) : "", answers.operations);
  lines.line("  S             {:>8.3f}  {} a step without launch delays, {} without stragglers", answers.slowdown,
             seconds_text(answers.without_delays_s), seconds_text(answers.ideal_to_update_s));
  lines.line("  launch delays {:>8.3f}  {} a step as recorded{}", answers.launch_slowdown,
             seconds_text(answers.recorded_s),
             answers.replay_error ? fmt::format("; replayed to {:.2f} %", 100 * *answers.replay_error) : "");
  if (answers.of_slowdown) {
    lines.line("\n  of S, what the ideal step loses to the measured times of one");
    decomposition(lines, *answers.of_slowdown);
    lines.line("    worker      {}", worst_workers(answers));
  } else {
    lines.line("  the slowdown is too small to be divided among ranks, stages and operations");
  }
  if (answers.of_launch_slowdown) {
    lines.line("\n  of the launch delays, what a step loses to those of one");
    decomposition(lines, *answers.of_launch_slowdown);
  }
  lines.line("");
  if (answers.worst_ranks)
    explanation(lines, "M_W", "the worst 3 % of ranks, " + ranks_named(answers.worst_ranks->ranks),
                *answers.worst_ranks);
  explanation(lines, "M_S", "the last stage, " + ranks_named(answers.last_stage.ranks), answers.last_stage);
  const auto is_outside = [](const Explanation& repair) {
    return repair.removed && (*repair.removed < 0 || *repair.removed > 1);
  };
  if (is_outside(answers.last_stage) || (answers.worst_ranks && is_outside(*answers.worst_ranks)))
    lines.line(
        "  over 100 % or below 0: an ideal step gives each operation its type's mean or median; where only some are "
        "repaired, the others stay as recorded, shorter or longer than that");
  return lines.take();
}

}  // namespace tauprof
