#include "report/job_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/text_lines.h"
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
std::string largest(const SlowdownByKey& of, const char* prefix) {
  std::vector<SlowdownByKey::Key> keys = of.keys;
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

void decomposition(TextLines& lines, const Decomposition& of) {
  lines.line("    operation   {}", largest(of.by_type, ""));
  lines.line("    stage       {}", largest(of.by_stage, "stage "));
  if (!of.by_dp_rank.keys.empty()) lines.line("    dp rank     {}", largest(of.by_dp_rank, "dp "));
}

void explanation(TextLines& lines, const char* name, const std::string& who, const Explanation& of) {
  lines.line("  {:<13} {:>8}   of the slowdown goes with {}: {} a step if ideal", name, percent_text(of.removed), who,
             seconds_text(of.repaired_s));
}

std::string ranks_named(const std::vector<int32_t>& ranks) {
  return shortened(fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", ")), 36);
}

}  // namespace

std::string job_text(const StragglerAnswers& answers) {
  TextLines lines;
  lines.line("\nWHAT IF   (no stragglers: every operation takes its type's mean or median)");
  const auto name = answers.job.find("trial_name");
  lines.line("  job           {}{} data-parallel rank{} of {} stage{}{}, {} operations each in a step",
             name == answers.job.end() ? std::string() : name->second + ": ", answers.data_parallel_size,
             answers.data_parallel_size == 1 ? "" : "s", answers.stages, answers.stages == 1 ? "" : "s",
             answers.chunks > 1 ? fmt::format(" with {} model chunks", answers.chunks) : "", answers.operations);
  lines.line("  S             {:>8.3f}   {} a step without launch delays, {} without stragglers", answers.slowdown,
             seconds_text(answers.without_delays_s), seconds_text(answers.ideal_to_update_s));
  lines.line("  launch delays {:>8.3f}   {} a step as recorded{}", answers.launch_slowdown,
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
  return lines.take();
}

}  // namespace tauprof
