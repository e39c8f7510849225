#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/rank_words.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {

namespace {

// "1.2 ms on the program's threads: 1.1 ms starting and calls, 0.1 ms CUDA events; without what CUPTI adds …"
std::string cost_text(const RecorderCost& cost) {
  const auto time = [](Nanoseconds ns) { return duration_text(static_cast<double>(ns)); };
  std::string text = fmt::format("{} on the program's threads: {} starting and recording calls", time(cost.total()),
                                 time(cost.start_and_calls));
  if (cost.events > 0) text += fmt::format(", {} CUDA events", time(cost.events));
  if (cost.cupti > 0) text += fmt::format(", {} own calls of CUPTI", time(cost.cupti));
  if (cost.stacks > 0) text += fmt::format(", {} stacks", time(cost.stacks));
  if (cost.end > 0) text += fmt::format(", {} waiting at the end", time(cost.end));
  std::string missing = cost.has_parts ? "" : "CUDA events, calls of CUPTI, stacks, waiting at the end";
  if (!cost.is_without_cupti)
    missing += std::string(missing.empty() ? "" : ", ") + "what CUPTI adds inside of CUDA's calls";
  return missing.empty() ? text : text + "; not counted: " + missing;
}

}  // namespace

std::string recording_text(const RunFacts& facts) {
  TextLines lines;
  lines.line("tauprof report   {}{}", facts.source, facts.id.empty() ? "" : "   run " + terminal_text(facts.id));
  if (!facts.command.empty()) lines.line("  command   {}", shortened(facts.command, 86));
  std::string where = counted_ranks(facts.ranks, facts.world_size);
  if (!facts.hosts.empty()) where += fmt::format(", {} host{}", facts.hosts.size(), facts.hosts.size() == 1 ? "" : "s");
  if (!facts.devices.empty()) where += ", " + terminal_text(facts.devices.front());
  if (facts.started_realtime_ns != 0) where += ", started " + iso_time(facts.started_realtime_ns);
  lines.line("  where     {}", where);
  lines.line("  recorded  {} events, {} dropped, {} spans without their call; files: {} read, {} damaged, {} skipped",
             facts.events, facts.dropped_total(), facts.unmatched_spans, facts.files_read, facts.files_damaged,
             facts.files_skipped);
  if (facts.cost.is_known) lines.line("  cost      {}", cost_text(facts.cost));
  if (!facts.missing_ranks.empty())
    lines.line("  missing   {} rank{} without a log: {}", facts.missing_ranks.size(),
               facts.missing_ranks.size() == 1 ? "" : "s",
               shortened(fmt::format("{}", fmt::join(facts.missing_ranks, ", ")), 64));
  for (const auto& [reason, ranks] : facts.untimed_ranks)
    lines.line("  untimed   {}: no device times: {}",
               static_cast<int32_t>(ranks.size()) == facts.ranks
                   ? std::string(facts.ranks == 1 ? "the rank" : "all ranks")
                   : shortened(fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", ")), 40),
               shortened(reason, 100));
  return lines.take();
}

}  // namespace tauprof
