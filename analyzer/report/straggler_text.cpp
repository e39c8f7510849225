#include <fmt/format.h>
#include <fmt/ranges.h>

#include "metrics/stragglers/straggler_groups.h"
#include "metrics/stragglers/throttle_reasons.h"
#include "report/rank_words.h"
#include "report/ranks_of_hosts.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string straggler_cause(const Straggler& straggler) {
  const std::string_view name = kCauseNames[static_cast<size_t>(straggler.cause)];
  if (straggler.cause != Cause::kThrottled || straggler.throttle_reasons == 0) return std::string(name);
  return fmt::format("{} ({})", name, fmt::join(throttle_reason_names(straggler.throttle_reasons), ", "));
}

std::string why_untold(const Report& report) {
  const WaitQuality& waits = report.metrics.communication.waits;
  if (!report.facts.untimed_ranks.empty()) return "no collective has device times of all its ranks";
  if (report.metrics.communication.collectives_in_graphs > 0)
    return "collectives in CUDA graphs have no times (graph-nodes)";
  if (!report.facts.missing_ranks.empty()) return "no collective has the logs of all its ranks";
  if (!waits.clocks_agree || waits.without_clocks > 0) return "the ranks' clocks are not known well enough";
  if (waits.ungrouped > 0) return "collectives do not end together on their ranks";
  return "the logs hold no collective that all its ranks carried out";
}

// "persistent, in 20 of 20 steps"
std::string when_late(const StragglerGroup& group, size_t late_steps, const Report& report) {
  const size_t steps = report.metrics.steps.selection.analysed.size();
  const char* const how = steps == 1 ? "" : group.foremost->is_persistent ? "persistent, " : "transient, ";
  return fmt::format("{}in {} of {} {}{}", how, late_steps, steps, report.unit(), steps == 1 ? "" : "s");
}

std::string line_of(const StragglerGroup& group, const std::string& name, const std::string& steps) {
  const Straggler& foremost = *group.foremost;
  if (foremost.is_suspect())
    return fmt::format("  {:<9} {}; {} longer by itself, which delays the job as replayed; cause: {}", name, steps,
                       duration_text(group.excess_ns), straggler_cause(foremost));
  const bool is_one = group.members.size() == 1;
  return fmt::format(
      "  {:<9} {}; the others waited {} for {} ({:.1f} % of all GPU time); {}last at {:.0f} %; cause: {}{}", name,
      steps, duration_text(group.blamed_ns), is_one ? "it" : "them", 100 * group.score,
      is_one ? "" : fmt::format("rank {} ", foremost.rank), 100 * foremost.last_share, straggler_cause(foremost),
      group.is_within_clock_bound() ? "; its clock may be wrong by as much" : "");
}

}  // namespace

std::string stragglers_text(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  if (metrics.ranks.size() < 2) return {};
  TextLines lines;
  lines.line("\nSTRAGGLERS");
  if (metrics.stragglers.found.empty())
    lines.line("  {}",
               metrics.communication.waits.split > 0 ? "none stands out" : "cannot be told: " + why_untold(report));
  if (metrics.stragglers.found.size() > kMostListedRanks) {
    const RanksOfHosts hosts(metrics.ranks);
    for (const StragglerGroup& group :
         straggler_groups_of_hosts(metrics.stragglers, [&](int32_t rank) { return hosts.host_of(rank); }))
      lines.line("{}", line_of(group, hosts.name(group.ranks()), when_late(group, group.steps().size(), report)));
    return lines.take();
  }
  for (const StragglerGroup& group : straggler_groups(metrics.stragglers))
    lines.line("{}",
               line_of(group, ranks_in_words(group.ranks()), when_late(group, group.foremost->steps.size(), report)));
  return lines.take();
}

}  // namespace tauprof
