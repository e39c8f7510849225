#include "findings/health.h"

#include <fmt/format.h>

#include <algorithm>

#include "findings/graph_records.h"
#include "findings/link_use.h"
#include "findings/rank_words.h"
#include "limits/analysis_limits.h"
#include "model/operation_names.h"

namespace tauprof {
namespace {

// "47.4 %"; what would be "0.0 %" with two digits: "0.031 %".
std::string percent(double share) {
  return share > 0 && share < kPrintsAsNothing ? fmt::format("{:.2g} %", 100 * share)
                                               : fmt::format("{:.1f} %", 100 * share);
}
std::string at_most(double share) { return "at most " + percent(share); }
HealthOutcome passes_if(bool holds) { return holds ? HealthOutcome::kPass : HealthOutcome::kFail; }

double share_of(const RunMetrics& metrics, LedgerRow row) {
  return static_cast<double>(metrics.time.ledger.rows()[static_cast<size_t>(row)]) /
         static_cast<double>(metrics.step_ns());
}

HealthCheck without_device_times(const char* id, std::string limit) {
  return {id, HealthOutcome::kUnknown, "no device times", std::move(limit)};
}

HealthCheck utilization(const RunMetrics& metrics) {
  const Efficiency& efficiency = metrics.devices.efficiency;
  const std::string limit = "at least " + percent(kLowUtilization);
  if (efficiency.mfu)
    return {"utilization", passes_if(*efficiency.mfu >= kLowUtilization), "MFU " + percent(*efficiency.mfu), limit};
  if (!efficiency.hfu)
    return {"utilization", HealthOutcome::kUnknown, "HFU not known: " + efficiency.no_hfu_because, limit};
  if (*efficiency.hfu >= kLowUtilization)
    return {"utilization", HealthOutcome::kPass, "HFU " + percent(*efficiency.hfu), limit};
  if (efficiency.is_lower_bound) {
    const std::string found =
        efficiency.is_hfu_telling() ? "HFU " + percent(*efficiency.hfu) + " or more" : "HFU not known";
    return {"utilization", HealthOutcome::kUnknown, found + ": products of unknown size ran", limit};
  }
  return {"utilization", HealthOutcome::kFail, "HFU " + percent(*efficiency.hfu), limit};
}

HealthCheck communication(const RunMetrics& metrics) {
  if (metrics.step_ns() <= 0) return without_device_times("communication", at_most(kInherentShare));
  const double moving = share_of(metrics, LedgerRow::kExposedCommTransfer);
  const double unsplit = share_of(metrics, LedgerRow::kExposedCommUnsplit);
  const double unclassified = share_of(metrics, LedgerRow::kUnclassified);
  const std::string found = percent(moving) + " of the time moves data that nothing hides";
  if (moving < kInherentShare && moving + unsplit >= kInherentShare)
    return {"communication", HealthOutcome::kUnknown,
            found + ", and " + percent(unsplit) + " more cannot be told from waiting", at_most(kInherentShare)};
  if (moving < kInherentShare && moving + unsplit + unclassified >= kInherentShare &&
      metrics.communication.collectives_in_graphs > 0)
    return {"communication", HealthOutcome::kUnknown,
            fmt::format("{}, and up to {} more is in CUDA graphs with collectives (see stragglers)", found,
                        percent(unclassified)),
            at_most(kInherentShare)};
  if (moving < kInherentShare && moving + unsplit + unclassified >= kInherentShare)
    return {"communication", HealthOutcome::kUnknown,
            found + ", but nothing tells what " + percent(unclassified) + " of it does (--show findings)",
            at_most(kInherentShare)};
  return {"communication", passes_if(moving < kInherentShare), found, at_most(kInherentShare)};
}

std::string why_no_link_share(const RunMetrics& metrics) {
  const auto none = [&](auto&& has) {
    return std::none_of(metrics.communication.collectives.begin(), metrics.communication.collectives.end(), has);
  };
  if (metrics.communication.collectives.empty()) return "no collective was recorded";
  if (none([](const CollectiveMetrics& collective) { return collective.size_bytes.has_value(); }))
    return "sizes not recorded";
  if (none([](const CollectiveMetrics& collective) { return collective.size_bytes.value_or(0) >= kLargeTransfer; }))
    return fmt::format("no transfer of {} MiB or more", kLargeTransfer >> 20);
  if (none([](const CollectiveMetrics& collective) {
        return collective.size_bytes.value_or(0) >= kLargeTransfer && collective.busbw_transfer_gb_per_s;
      }))
    return "large transfers cannot be told from waiting";
  return "the peak of the links is not known (--link-gbps)";
}

// Whether large transfers, free of waiting, are as fast as the links.
HealthCheck links(const RunFacts& facts, const RunMetrics& metrics) {
  const std::string limit = "at least " + percent(kSlowLinks) + " of their peak";
  if (facts.ranks < 2 && facts.world_size < 2) return {"links", HealthOutcome::kPass, "one rank", limit};
  const CollectiveMetrics* const slowest = slowest_on_its_link(metrics);
  if (slowest == nullptr) return {"links", HealthOutcome::kUnknown, why_no_link_share(metrics), limit};
  return {"links", passes_if(*slowest->share_of_link() >= kSlowLinks), link_use_in_words(*slowest), limit};
}

HealthCheck memory_pressure(const RunMetrics& metrics) {
  const std::string limit = at_most(kMemoryPressure) + " of the device, no growth";
  const MemoryOfRank* fullest = nullptr;
  bool is_lower_bound = false;
  for (const MemoryOfRank& memory : metrics.devices.memory) {
    if (memory.is_growing)
      return {"memory", HealthOutcome::kFail,
              fmt::format("grows by {:.1f} MB a step on rank {}", *memory.growth_per_step / 1e6, memory.rank), limit};
    if (memory.allocator_retries.value_or(0) > 0)
      return {"memory", HealthOutcome::kFail,
              fmt::format("rank {} ran out of it {} times and freed its cache", memory.rank, *memory.allocator_retries),
              limit};
    is_lower_bound = is_lower_bound || memory.is_lower_bound;
    if (memory.share_of_device() && (fullest == nullptr || *memory.share_of_device() > *fullest->share_of_device()))
      fullest = &memory;
  }
  if (metrics.devices.memory.empty()) return {"memory", HealthOutcome::kUnknown, "no allocation was recorded", limit};
  if (fullest == nullptr) return {"memory", HealthOutcome::kUnknown, "the device's size is not known", limit};
  const double share = *fullest->share_of_device();
  std::string text = fmt::format("{} of the device on rank {}", percent(share), fullest->rank);
  if (share > kMemoryPressure) return {"memory", HealthOutcome::kFail, std::move(text), limit};
  if (is_lower_bound) return {"memory", HealthOutcome::kUnknown, text + " or more", limit};
  return {"memory", HealthOutcome::kPass, std::move(text), limit};
}

HealthCheck input(const RunFacts& facts, const RunMetrics& metrics) {
  if (metrics.step_ns() <= 0) return without_device_times("input", at_most(kAvoidableShare));
  const double waits = share_of(metrics, LedgerRow::kIdleDataWait);
  if (facts.is_by_time() && waits < kAvoidableShare)
    return {"input", HealthOutcome::kUnknown, "no steps are known, between which it is waited for",
            at_most(kAvoidableShare)};
  return {"input", passes_if(waits < kAvoidableShare), percent(waits) + " of the time waits for it",
          at_most(kAvoidableShare)};
}

// Whether a rank waits for longer than any step took.
HealthCheck job_progress(const JobProgress& progress) {
  const std::string limit = fmt::format("no wait of over {:.1f} s", static_cast<double>(progress.patience) / 1e9);
  if (!progress.is_stuck) return {"progress", HealthOutcome::kPass, "no long wait", limit};
  std::vector<int32_t> suspects;
  for (const Suspect& suspect : progress.suspects) suspects.push_back(suspect.rank);
  std::string found = fmt::format("a wait of {:.1f} s", static_cast<double>(progress.waited()) / 1e9);
  if (!suspects.empty()) found += " for " + ranks_in_words(suspects);
  if (progress.hangs()) return {"progress", HealthOutcome::kFail, std::move(found), limit};
  return {"progress", HealthOutcome::kUnknown, found + ", which may still come", limit};
}

std::string collectives_in_graphs(const RunMetrics& metrics) {
  return fmt::format("the times of {} collectives in CUDA graphs are not known; {} records them, at the price of {}",
                     metrics.communication.collectives_in_graphs, kCaptureOfNodes, cost_of_nodes(metrics));
}

std::string counted_ranks(size_t count, std::string_view many, std::string_view one) {
  return count == 1 ? fmt::format("1 rank {}", one) : fmt::format("{} ranks {}", count, many);
}

// ", 5.4 % hidden": of a share of waiting, at least what the ledger does not show as such, since something else ran
// meanwhile. Empty: no such part is known, or less than would fail the check, so that both say the same.
std::string hidden_part(double waiting, const RunFacts& facts, const RunMetrics& metrics) {
  if (static_cast<int32_t>(metrics.ranks.size()) < facts.ranks) return "";  // the ledger is of some ranks alone
  const double hidden = waiting - share_of(metrics, LedgerRow::kExposedCommWait);
  return hidden < kWarningShare ? "" : fmt::format(", {} hidden", percent(hidden));
}

HealthCheck stragglers(const RunFacts& facts, const RunMetrics& metrics) {
  const std::string limit = at_most(kWarningShare);
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
    return {
        "stragglers", HealthOutcome::kFail,
        percent(share) + " of all ranks' time waits for " + ranks_in_words(ranks) + hidden_part(share, facts, metrics),
        limit};
  if (share + in_doubt >= kWarningShare)
    return {"stragglers", HealthOutcome::kUnknown,
            percent(in_doubt) + " of all ranks' time waits for " + ranks_in_words(doubted) +
                ", late by less than clocks may be off",
            limit};
  if (!facts.missing_ranks.empty())
    return {"stragglers", HealthOutcome::kUnknown,
            counted_ranks(facts.missing_ranks.size(), "have no log", "has no log"), limit};
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
            percent(waits) + " of all ranks' time is waiting for each other, for no rank in particular", limit};
  return {"stragglers", HealthOutcome::kPass, percent(share) + " of all ranks' time waits for them", limit};
}

std::string microseconds(Nanoseconds time) { return fmt::format("{:.0f} us", static_cast<double>(time) / 1e3); }

// Conclusions from differences that are smaller than the clocks' possible error; empty: none. The ranks' waiting is a
// conclusion where it is a finding (comm-wait). Their transfers are none: they never exceed the shortest span of a
// collective, whatever the clocks say.
std::string smaller_than_clocks(const RunMetrics& metrics) {
  std::vector<int32_t> late;
  for (const Straggler& straggler : metrics.stragglers.found)
    if (straggler.is_within_clock_bound) late.push_back(straggler.rank);
  std::sort(late.begin(), late.end());
  if (!late.empty()) return ranks_in_words(late) + (late.size() == 1 ? " is late by less" : " are late by less");
  const WaitTotals& waits = metrics.communication.wait_table.total;
  const bool is_concluded = metrics.step_ns() > 0 && share_of(metrics, LedgerRow::kExposedCommWait) >= kInherentShare;
  if (!is_concluded || !waits.is_within_clock_bound()) return "";
  return fmt::format("waits of {} on average are shorter",
                     microseconds(waits.wait / static_cast<Nanoseconds>(waits.count - waits.untimed)));
}

HealthCheck clocks(const RunFacts& facts, const RunMetrics& metrics) {
  const std::string limit = "less than what is concluded from them";
  if (facts.ranks < 2) return {"clocks", HealthOutcome::kPass, "one rank", limit};
  if (!metrics.communication.waits.clocks_agree)
    return {"clocks", HealthOutcome::kFail,
            fmt::format("{} collectives contradict them", metrics.communication.waits.contradicting), limit};
  Nanoseconds largest = 0;
  for (const RankClock& clock : metrics.clocks.ranks) {
    if (clock.basis == ClockBasis::kUnknown)
      return {"clocks", HealthOutcome::kUnknown, fmt::format("that of rank {} is not known", clock.rank), limit};
    largest = std::max(largest, clock.map.uncertainty());
  }
  const std::string smaller = smaller_than_clocks(metrics);
  return {"clocks", passes_if(smaller.empty()),
          "within " + microseconds(largest) + (smaller.empty() ? "" : ", but " + smaller), limit};
}

// Whether devices run as fast as their peers, and nothing but their load holds them back.
HealthCheck device_clocks(const RunMetrics& metrics) {
  const std::string limit = fmt::format("at least {:.0f} % of peers', no heat", 100 * kThrottledClock);
  const TelemetryOfRank* slowest = nullptr;
  for (const TelemetryOfRank& telemetry : metrics.devices.telemetry) {
    if (!telemetry.has_device()) continue;
    const double overheated = static_cast<double>(telemetry.overheated_steps) / static_cast<double>(telemetry.steps);
    if (overheated >= kWarningShare)
      return {
          "gpu-clocks", HealthOutcome::kFail,
          fmt::format("heat or hardware slows down rank {} in {:.0f} % of its steps", telemetry.rank, 100 * overheated),
          limit};
    if (telemetry.clock_of_peers && (slowest == nullptr || *telemetry.clock_of_peers < *slowest->clock_of_peers))
      slowest = &telemetry;
  }
  if (slowest != nullptr)
    return {"gpu-clocks", passes_if(*slowest->clock_of_peers >= kThrottledClock),
            fmt::format("rank {} runs at {} of its peers' clock", slowest->rank, percent(*slowest->clock_of_peers)),
            limit};
  const bool has_readings = std::any_of(metrics.devices.telemetry.begin(), metrics.devices.telemetry.end(),
                                        [](const TelemetryOfRank& telemetry) { return telemetry.has_device(); });
  if (has_readings) return {"gpu-clocks", HealthOutcome::kPass, "no heat; no peers to compare with", limit};
  return {"gpu-clocks", HealthOutcome::kUnknown, "not recorded", limit};
}

HealthCheck recording(const RunFacts& facts) {
  std::string missing;
  const auto add = [&](uint64_t count, const char* what) {
    if (count > 0) missing += fmt::format("{}{} {}", missing.empty() ? "" : ", ", count, what);
  };
  add(facts.dropped_total(), facts.dropped_total() == 1 ? "record dropped" : "records dropped");
  add(facts.missing_ranks.size(), facts.missing_ranks.size() == 1 ? "rank without a log" : "ranks without a log");
  for (const auto& [what, value] : facts.implausible_values)
    add(value.count, fmt::format("{} with an implausible {}", value.count == 1 ? "row" : "rows", what).c_str());
  add(facts.files_damaged, "logs damaged");
  add(facts.lost_records, "records lost in them");
  return {"recording", passes_if(missing.empty()),
          missing.empty() ? fmt::format("{} events, nothing dropped or damaged", facts.events) : missing, "complete"};
}

}  // namespace

std::string_view name_of(HealthOutcome outcome) {
  constexpr std::string_view kNames[] = {"pass", "fail", "unknown"};
  return kNames[static_cast<size_t>(outcome)];
}

std::vector<HealthCheck> health_of(const RunFacts& facts, const RunMetrics& metrics) {
  return {job_progress(metrics.progress), utilization(metrics),  communication(metrics),     links(facts, metrics),
          memory_pressure(metrics),       input(facts, metrics), stragglers(facts, metrics), clocks(facts, metrics),
          device_clocks(metrics),         recording(facts)};
}

}  // namespace tauprof
