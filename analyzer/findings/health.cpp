#include "findings/health.h"

#include <algorithm>

#include "findings/graph_records.h"
#include "findings/link_use.h"
#include "limits/analysis_limits.h"
#include "model/operation_names.h"

namespace tauprof {
namespace {

Statement at_most(double share) { return said("at most ", Share{share}); }
HealthOutcome passes_if(bool holds) { return holds ? HealthOutcome::kPass : HealthOutcome::kFail; }

double share_of(const RunMetrics& metrics, LedgerRow row) {
  return static_cast<double>(metrics.time.ledger.rows()[static_cast<size_t>(row)]) /
         static_cast<double>(metrics.step_ns());
}

HealthCheck without_device_times(const char* id, Statement limit) {
  return {id, HealthOutcome::kUnknown, "no device times", std::move(limit)};
}

HealthCheck utilization(const RunMetrics& metrics) {
  const Efficiency& efficiency = metrics.devices.efficiency;
  const Statement limit = said("at least ", Share{kLowUtilization});
  if (!efficiency.mfu && !efficiency.hfu)
    return {"utilization", HealthOutcome::kUnknown, said("HFU not known: ", efficiency.no_hfu_because), limit};
  const char* const name = efficiency.mfu ? "MFU" : "HFU";
  const double used = efficiency.mfu ? *efficiency.mfu : *efficiency.hfu;
  const bool is_bound = efficiency.mfu ? efficiency.is_mfu_lower_bound() : efficiency.is_lower_bound;
  if (used >= kLowUtilization || !is_bound)
    return {"utilization", passes_if(used >= kLowUtilization), said(name, " ", Share{used}), limit};
  const bool is_telling = efficiency.mfu ? efficiency.is_mfu_telling() : efficiency.is_hfu_telling();
  const Statement found = is_telling ? said(name, " ", Share{used}, " or more") : said(name, " not known");
  return {"utilization", HealthOutcome::kUnknown, said(found, ": products of unknown size ran"), limit};
}

HealthCheck communication(const RunMetrics& metrics) {
  if (metrics.step_ns() <= 0) return without_device_times("communication", at_most(kInherentShare));
  const double moving = share_of(metrics, LedgerRow::kExposedCommTransfer);
  const double unsplit = share_of(metrics, LedgerRow::kExposedCommUnsplit);
  const double unclassified = share_of(metrics, LedgerRow::kUnclassified);
  Statement found = said(Share{moving}, " of the time moves data that nothing hides");
  if (moving < kInherentShare && moving + unsplit >= kInherentShare)
    return {"communication", HealthOutcome::kUnknown,
            found.add(", and ", Share{unsplit}, " more cannot be told from waiting"), at_most(kInherentShare)};
  if (moving < kInherentShare && moving + unsplit + unclassified >= kInherentShare &&
      metrics.communication.collectives_in_graphs > 0)
    return {"communication", HealthOutcome::kUnknown,
            found.add(", and up to ", Share{unclassified}, " more is in CUDA graphs with collectives (see stragglers)"),
            at_most(kInherentShare)};
  if (moving < kInherentShare && moving + unsplit + unclassified >= kInherentShare)
    return {"communication", HealthOutcome::kUnknown,
            found.add(", but nothing tells what ", Share{unclassified}, " of it does (--show findings)"),
            at_most(kInherentShare)};
  return {"communication", passes_if(moving < kInherentShare), found, at_most(kInherentShare)};
}

Statement why_no_link_share(const RunMetrics& metrics) {
  const auto none = [&](auto&& has) {
    return std::none_of(metrics.communication.collectives.begin(), metrics.communication.collectives.end(), has);
  };
  if (metrics.communication.collectives.empty()) return "no collective was recorded";
  if (none([](const CollectiveMetrics& collective) { return collective.size_bytes.has_value(); }))
    return "sizes not recorded";
  if (none([](const CollectiveMetrics& collective) { return collective.size_bytes.value_or(0) >= kLargeTransfer; }))
    return said("no transfer of ", kLargeTransfer >> 20, " MiB or more");
  if (none([](const CollectiveMetrics& collective) {
        return collective.size_bytes.value_or(0) >= kLargeTransfer && collective.busbw_transfer_gb_per_s;
      }))
    return "large transfers cannot be told from waiting";
  return "the peak of the links is not known (--link-gbps)";
}

// Whether large transfers, free of waiting, are as fast as the links.
HealthCheck links(const RunFacts& facts, const RunMetrics& metrics) {
  const Statement limit = said("at least ", Share{kSlowLinks}, " of their peak");
  if (facts.ranks < 2 && facts.world_size < 2) return {"links", HealthOutcome::kPass, "one rank", limit};
  const CollectiveMetrics* const slowest = slowest_on_its_link(metrics);
  if (slowest == nullptr) return {"links", HealthOutcome::kUnknown, why_no_link_share(metrics), limit};
  return {"links", passes_if(*slowest->share_of_link() >= kSlowLinks), link_use_of(*slowest), limit};
}

HealthCheck memory_pressure(const RunMetrics& metrics) {
  const Statement limit = said(at_most(kMemoryPressure), " of the device, no growth");
  const MemoryOfRank* fullest = nullptr;
  bool is_lower_bound = false;
  for (const MemoryOfRank& memory : metrics.devices.memory) {
    if (memory.is_growing)
      return {"memory", HealthOutcome::kFail,
              said("grows by ", Volume{*memory.growth_per_step}, " a step on rank ", memory.rank), limit};
    if (memory.allocator_retries.value_or(0) > 0)
      return {"memory", HealthOutcome::kFail,
              said("rank ", memory.rank, " ran out of it ", *memory.allocator_retries, " times and freed its cache"),
              limit};
    is_lower_bound = is_lower_bound || memory.is_lower_bound;
    if (memory.share_of_device() && (fullest == nullptr || *memory.share_of_device() > *fullest->share_of_device()))
      fullest = &memory;
  }
  if (metrics.devices.memory.empty()) return {"memory", HealthOutcome::kUnknown, "no allocation was recorded", limit};
  if (fullest == nullptr) return {"memory", HealthOutcome::kUnknown, "the device's size is not known", limit};
  const double share = *fullest->share_of_device();
  Statement text = said(Share{share}, " of the device on rank ", fullest->rank);
  if (share > kMemoryPressure) return {"memory", HealthOutcome::kFail, std::move(text), limit};
  if (is_lower_bound) return {"memory", HealthOutcome::kUnknown, text.add(" or more"), limit};
  return {"memory", HealthOutcome::kPass, std::move(text), limit};
}

HealthCheck input(const RunFacts& facts, const RunMetrics& metrics) {
  if (metrics.step_ns() <= 0) return without_device_times("input", at_most(kAvoidableShare));
  const double waits = share_of(metrics, LedgerRow::kIdleDataWait);
  if (facts.is_by_time() && waits < kAvoidableShare)
    return {"input", HealthOutcome::kUnknown, "no steps are known, between which it is waited for",
            at_most(kAvoidableShare)};
  return {"input", passes_if(waits < kAvoidableShare), said(Share{waits}, " of the time waits for it"),
          at_most(kAvoidableShare)};
}

// Whether a rank waits for longer than any step took.
HealthCheck job_progress(const JobProgress& progress) {
  const Statement limit = said("no wait of over ", in_seconds(progress.patience));
  if (!progress.is_stuck) return {"progress", HealthOutcome::kPass, "no long wait", limit};
  std::vector<int32_t> suspects;
  for (const Suspect& suspect : progress.suspects) suspects.push_back(suspect.rank);
  Statement found = said("a wait of ", in_seconds(progress.waited()));
  if (!suspects.empty()) found.add(" for ", Ranks{suspects});
  if (progress.hangs()) return {"progress", HealthOutcome::kFail, std::move(found), limit};
  return {"progress", HealthOutcome::kUnknown, found.add(", which may still come"), limit};
}

Statement collectives_in_graphs(const RunMetrics& metrics) {
  return said("the times of ", metrics.communication.collectives_in_graphs,
              " collectives in CUDA graphs are not known; ", kCaptureOfNodes, " records them, at the price of ",
              cost_of_nodes(metrics));
}

// ", 5.4 % hidden": of a share of waiting, at least what the ledger does not show as such, since something else ran
// meanwhile. Empty: no such part is known, or less than would fail the check, so that both say the same.
Statement hidden_part(double waiting, const RunFacts& facts, const RunMetrics& metrics) {
  if (static_cast<int32_t>(metrics.ranks.size()) < facts.ranks) return {};  // the ledger is of some ranks alone
  const double hidden = waiting - share_of(metrics, LedgerRow::kExposedCommWait);
  return hidden < kWarningShare ? Statement() : said(", ", Share{hidden}, " hidden");
}

// The stragglers whose repair gives as much as a verdict asks for, however little the others wait: they may work
// meanwhile. Null: none does.
const Finding* stragglers_worth_a_verdict(const RunMetrics& metrics, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.kind().verdict == VerdictClass::kStraggler && finding.at_most > Severity::kInfo &&
        finding.saves_ns_per_step.value_or(0) >= kStragglerVerdict * metrics.steps.step_duration.mean)
      return &finding;
  return nullptr;
}

HealthCheck stragglers(const RunFacts& facts, const RunMetrics& metrics, const std::vector<Finding>& findings) {
  const Statement limit = at_most(kWarningShare);
  if (facts.ranks < 2 && facts.world_size < 2) return {"stragglers", HealthOutcome::kPass, "one rank", limit};
  if (metrics.step_ns() <= 0) return without_device_times("stragglers", limit);
  double share = 0, in_doubt = 0;
  std::vector<int32_t> ranks, doubted;
  for (const Straggler& straggler : metrics.stragglers.found) {
    (straggler.is_within_clock_bound ? in_doubt : share) += straggler.score;
    (straggler.is_within_clock_bound ? doubted : ranks).push_back(straggler.rank);
  }
  std::sort(ranks.begin(), ranks.end());
  std::sort(doubted.begin(), doubted.end());
  if (share >= kWarningShare)
    return {"stragglers", HealthOutcome::kFail,
            said(Share{share}, " of all ranks' time waits for ", Ranks{ranks}, hidden_part(share, facts, metrics)),
            limit, ranks};
  if (const Finding* const straggler = stragglers_worth_a_verdict(metrics, findings))
    return {"stragglers", HealthOutcome::kFail,
            said("repairing ", Ranks{straggler->ranks}, " makes the step ",
                 Share{*straggler->saves_ns_per_step / metrics.steps.step_duration.mean}, " shorter"),
            limit, straggler->ranks};
  if (share + in_doubt >= kWarningShare)
    return {"stragglers", HealthOutcome::kUnknown,
            said(Share{in_doubt}, " of all ranks' time waits for ", Ranks{doubted},
                 ", late by less than clocks may be off"),
            limit};
  if (!facts.missing_ranks.empty())
    return {"stragglers", HealthOutcome::kUnknown,
            said(Count{static_cast<double>(facts.missing_ranks.size()), "rank has", "ranks have"}, " no log"), limit};
  // Graphs may hide as much waiting as time that they take.
  const bool is_hidden =
      metrics.communication.collectives_in_graphs > 0 &&
      (metrics.communication.waits.split == 0 || share + share_of(metrics, LedgerRow::kUnclassified) >= kWarningShare);
  if (is_hidden) return {"stragglers", HealthOutcome::kUnknown, collectives_in_graphs(metrics), limit};
  if (metrics.communication.waits.split == 0) {
    if (metrics.communication.collectives.empty())
      return {"stragglers", HealthOutcome::kUnknown, "no collective was recorded", limit};
    return {"stragglers", HealthOutcome::kUnknown, "no collective could be split into waiting and moving data", limit};
  }
  // In a pipeline, stages wait for the schedule.
  const double waits = share_of(metrics, LedgerRow::kExposedCommWait);
  if (waits - share >= kWarningShare && metrics.communication.messages.pipelines.empty())
    return {"stragglers", HealthOutcome::kUnknown,
            said(Share{waits}, " of all ranks' time is waiting for each other, for no rank in particular"), limit};
  return {"stragglers", HealthOutcome::kPass, said(Share{share}, " of all ranks' time waits for them"), limit};
}

Reading microseconds(Nanoseconds time) { return {static_cast<double>(time) / 1e3, "us", 0}; }

// Conclusions from differences that are smaller than the clocks' possible error; empty: none. The ranks' waiting is a
// conclusion where it is a finding (comm-wait). Their transfers are none: they never exceed the shortest span of a
// collective, whatever the clocks say.
Statement smaller_than_clocks(const RunMetrics& metrics) {
  std::vector<int32_t> late;
  for (const Straggler& straggler : metrics.stragglers.found)
    if (straggler.is_within_clock_bound) late.push_back(straggler.rank);
  std::sort(late.begin(), late.end());
  if (!late.empty()) return said(Ranks{late}, late.size() == 1 ? " is late by less" : " are late by less");
  const WaitTotals& waits = metrics.communication.wait_table.total;
  const bool is_concluded = metrics.step_ns() > 0 && share_of(metrics, LedgerRow::kExposedCommWait) >= kInherentShare;
  if (!is_concluded || !waits.is_within_clock_bound()) return {};
  return said("waits of ", microseconds(waits.wait / static_cast<Nanoseconds>(waits.count - waits.untimed)),
              " on average are shorter");
}

HealthCheck clocks(const RunFacts& facts, const RunMetrics& metrics) {
  const Statement limit = "less than what is concluded from them";
  if (facts.ranks < 2) return {"clocks", HealthOutcome::kPass, "one rank", limit};
  if (!metrics.communication.waits.clocks_agree)
    return {"clocks", HealthOutcome::kFail,
            said(metrics.communication.waits.contradicting, " collectives contradict them"), limit};
  Nanoseconds largest = 0;
  for (const RankClock& clock : metrics.clocks.ranks) {
    if (clock.basis == ClockBasis::kUnknown)
      return {"clocks", HealthOutcome::kUnknown, said("that of rank ", clock.rank, " is not known"), limit};
    largest = std::max(largest, clock.map.uncertainty());
  }
  const Statement smaller = smaller_than_clocks(metrics);
  return {"clocks", passes_if(smaller.empty()),
          said("within ", microseconds(largest), smaller.empty() ? Statement() : said(", but ", smaller)), limit};
}

// Whether devices run as fast as their peers, and nothing but their load holds them back.
HealthCheck device_clocks(const RunMetrics& metrics) {
  const Statement limit = said("at least ", Share{kThrottledClock, 0}, " of peers', no heat");
  const TelemetryOfRank* slowest = nullptr;
  for (const TelemetryOfRank& telemetry : metrics.devices.telemetry) {
    if (!telemetry.has_device()) continue;
    const double overheated = static_cast<double>(telemetry.overheated_steps) / static_cast<double>(telemetry.steps);
    if (overheated >= kWarningShare)
      return {"gpu-clocks", HealthOutcome::kFail,
              said("heat or hardware slows down rank ", telemetry.rank, " in ", Share{overheated, 0}, " of its steps"),
              limit};
    if (telemetry.clock_of_peers && (slowest == nullptr || *telemetry.clock_of_peers < *slowest->clock_of_peers))
      slowest = &telemetry;
  }
  if (slowest != nullptr)
    return {"gpu-clocks", passes_if(*slowest->clock_of_peers >= kThrottledClock),
            said("rank ", slowest->rank, " runs at ", Share{*slowest->clock_of_peers}, " of its peers' clock"), limit};
  const bool has_readings = std::any_of(metrics.devices.telemetry.begin(), metrics.devices.telemetry.end(),
                                        [](const TelemetryOfRank& telemetry) { return telemetry.has_device(); });
  if (has_readings) return {"gpu-clocks", HealthOutcome::kPass, "no heat; no peers to compare with", limit};
  return {"gpu-clocks", HealthOutcome::kUnknown, "not recorded", limit};
}

HealthCheck recording(const RunFacts& facts) {
  Statement missing;
  const auto add = [&](uint64_t number, const char* one, const char* many, const Statement& what) {
    if (number > 0) missing.add(missing.empty() ? "" : ", ", Count{static_cast<double>(number), one, many}, what);
  };
  add(facts.dropped_total(), "record", "records", " dropped");
  add(facts.missing_ranks.size(), "rank", "ranks", " without a log");
  for (const auto& [what, value] : facts.implausible_values)
    add(value.count, "row", "rows", said(" with an implausible ", what));
  add(facts.files_damaged, "log", "logs", " damaged");
  add(facts.lost_records, "record", "records", " lost in them");
  return {"recording", passes_if(missing.empty()),
          missing.empty() ? said(facts.events, " events, nothing dropped or damaged") : missing, "complete"};
}

}  // namespace

std::vector<HealthCheck> health_of(const RunFacts& facts, const RunMetrics& metrics,
                                   const std::vector<Finding>& findings) {
  return {job_progress(metrics.progress),
          utilization(metrics),
          communication(metrics),
          links(facts, metrics),
          memory_pressure(metrics),
          input(facts, metrics),
          stragglers(facts, metrics, findings),
          clocks(facts, metrics),
          device_clocks(metrics),
          recording(facts)};
}

}  // namespace tauprof
