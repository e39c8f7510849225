#include "findings/ledger_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "findings/duration_text.h"
#include "findings/graph_records.h"
#include "findings/link_use.h"
#include "findings/rank_words.h"
#include "limits/analysis_limits.h"
#include "metrics/kernels/kernel_totals.h"

namespace tauprof {
namespace {

// A row of the ledger that is a finding from a share of the step on.
struct RowRule {
  LedgerRow row;
  double share;
  const char* id;
  const char* title;
  const char* advice;
};

constexpr std::array kRowRules = {
    RowRule{LedgerRow::kIdleDataWait, kAvoidableShare, "data-wait", "The device waits for input data",
            "More or faster loader workers, or decoding on the device."},
    RowRule{
        LedgerRow::kIdleHostSync, kAvoidableShare, "host-sync", "Blocking calls drain the device",
        "Find .item(), .cpu(), print and synchronize in the loop; read losses back every n steps and asynchronously."},
    RowRule{
        LedgerRow::kIdleHostAllocation, kAvoidableShare, "allocation",
        "Allocating, freeing and creating hold up the device",
        "Create what lasts (streams, events, graphs, pinned memory) once. PyTorch frees and allocates when its cache "
        "is full or fragmented: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or a lower peak. The first steps "
        "allocate in every job: leave them out (--steps)."},
    RowRule{LedgerRow::kIdleHostLaunch, kInherentShare, "launch-bound", "The host cannot launch fast enough",
            "CUDA graphs, torch.compile, larger batches, fused optimizers; look for slow host code between launches."},
    RowRule{LedgerRow::kIdleHostStall, kAvoidableShare, "host-stall", "Launching threads stop while the device idles",
            "Look at what the thread waits for: locks, I/O, garbage collection, CPU contention."},
    RowRule{LedgerRow::kExposedCommTransfer, kInherentShare, "exposed-comm",
            "Communication is not hidden under computation",
            "Overlap it (bucket sizes, prefetch of shards, separate streams) or send less."},
    RowRule{
        LedgerRow::kExposedCommUnsplit, kInherentShare, "exposed-comm-unsplit",
        "Communication is exposed; waiting and moving cannot be told apart",
        "They can where the logs of all ranks of a communicator are there, with device times and clocks that agree; "
        "quality.collectives in the JSON report says what is missing."},
    RowRule{LedgerRow::kExposedCommWait, kInherentShare, "comm-wait", "Ranks wait for each other",
            "See the stragglers: the wait is theirs, not the network's."},
    RowRule{LedgerRow::kExposedCopy, kAvoidableShare, "exposed-copy", "Copies run while nothing computes",
            "Pinned memory and non_blocking copies on a stream of their own, one batch ahead."},
    RowRule{LedgerRow::kIdleDependency, kInherentShare, "dependency", "The device waits for events of other streams",
            "Check which stream the waits are for; split large copies or buckets so that work can begin earlier."},
    RowRule{LedgerRow::kIdleDeviceLatency, kInherentShare, "device-latency",
            "The device starts late what has been launched",
            "Many small kernels in a row: CUDA graphs or fusion. Or other processes on the device."},
    RowRule{LedgerRow::kUnclassified, kUnclassifiedShare, "unclassified", "Work that no rule classifies",
            "It is listed under quality."},
    RowRule{LedgerRow::kIdleOther, kUnexplainedShare, "unexplained-idle", "Idle time that the records do not explain",
            "Record host calls too (TAUPROF_CAPTURE), or look for launches from libraries that bypass the runtime."},
};

static_assert(kRowRules.size() == kLedgerRowCount - 2, "every row in which nothing computes costs time");

// The source line to which most of the row is charged, if one has a tenth of it.
CostliestPlace costliest_line(const RunMetrics& metrics, LedgerRow row) {
  const auto number = static_cast<size_t>(row);
  std::map<std::string_view, Nanoseconds> by_line;
  for (const SourceLineMetrics& line : metrics.source_lines) by_line[line.where] += line.charged[number];
  const auto most = std::max_element(by_line.begin(), by_line.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const bool is_worth_it = most != by_line.end() && 10 * most->second >= metrics.ledger.rows()[number];
  return is_worth_it ? CostliestPlace{std::string(most->first), most->second} : CostliestPlace();
}

// "idle_host_stall is 87.0 % of the time of rank 2 in step 4 (19.12 ms per rank and step there)".
std::string evidence_of(const RowRule& rule, const RowPlace& place) {
  const bool has_all_steps = place.steps.empty();
  const double there = has_all_steps ? static_cast<double>(place.of) : static_cast<double>(place.of_steps);
  const auto windows = static_cast<double>(has_all_steps ? place.windows : place.windows_of_steps);
  const auto time = static_cast<double>(place.time);
  if (place.ranks.empty() && has_all_steps)
    return fmt::format("{} is {:.1f} % of all ranks' step time ({} per rank and step)", row_name(rule.row),
                       100 * time / there, duration_text(time / windows));
  return fmt::format("{} is {:.1f} % of the time of {}{}{} ({} per rank and step there)", row_name(rule.row),
                     100 * time / there, place.ranks.empty() ? "all ranks" : ranks_in_words(place.ranks),
                     has_all_steps ? "" : " in ", has_all_steps ? "" : steps_in_words(place.steps),
                     duration_text(time / windows));
}

// What a row stands for is gone. Of some rows nothing tells what would have to go.
Repair repair_of(LedgerRow row, const RowPlace& place) {
  Repair repair{.kind = RepairKind::kRow, .row = row, .ranks = place.ranks, .steps = place.steps};
  if (row == LedgerRow::kExposedCommWait) {
    repair.kind = RepairKind::kNone;
    repair.reason = "waiting goes with what makes ranks late: see the stragglers";
  } else if (row == LedgerRow::kUnclassified || row == LedgerRow::kIdleOther) {
    repair.kind = RepairKind::kNone;
    repair.reason = "the records do not tell what would have to go";
  }
  return repair;
}

// "; mostly cudaFree (12.3 ms in 4 calls)". The calls' own time, whether or not the device was idle meanwhile.
std::string costliest_allocation(const RunMetrics& metrics) {
  for (const CallMetrics& call : metrics.calls)
    if (call.call_class == CallClass::kAllocation)
      return fmt::format("; mostly {} ({} in {} call{} in all)", call.function,
                         duration_text(static_cast<double>(call.total)), call.count, call.count == 1 ? "" : "s");
  return "";
}

// "; CUDA graphs whose nodes have no records run for 83.9 % of the time (412 nodes per rank and step)".
std::string graphs_without_nodes(const RunMetrics& metrics) {
  Nanoseconds time = 0;
  for (const KernelMetrics& kernel : metrics.kernels)
    if (kernel.span_class == SpanClass::kUnclassified && kernel.name == kGraphName) time += kernel.total;
  if (time == 0) return "";
  const double share = static_cast<double>(time) / static_cast<double>(metrics.step_ns());
  std::string text =
      fmt::format("; CUDA graphs whose nodes have no records run for {:.1f} % of the time", 100 * std::min(1.0, share));
  if (metrics.graph_nodes != 0)
    text += fmt::format(" ({:.0f} nodes per rank and step)",
                        static_cast<double>(metrics.graph_nodes) / static_cast<double>(metrics.windows));
  if (metrics.conditional_nodes != 0)
    text += "; nobody knows how often the bodies of their conditional nodes run, nor which collectives with them";
  return text;
}

// In a pipeline, stages wait for each other even if none is late; elsewhere, whoever is late may change.
void tell_why_ranks_wait(const RunMetrics& metrics, Finding& finding) {
  const std::vector<Pipeline>& pipelines = metrics.messages.pipelines;
  if (pipelines.empty()) {
    if (metrics.stragglers.found.empty())
      finding.advice =
          "No rank is late by more than chance explains. Look at what makes hosts and kernels vary (--show "
          "ranks,phases).";
    return;
  }
  const auto largest = std::max_element(pipelines.begin(), pipelines.end(),
                                        [](const Pipeline& a, const Pipeline& b) { return a.bubble < b.bubble; });
  finding.evidence += fmt::format("; the pipeline's bubble is {:.1f} % of its stages' time", 100 * largest->bubble);
  if (largest->ideal_bubble)
    finding.evidence += fmt::format(", {:.1f} % with equal stages", 100 * *largest->ideal_bubble);
  finding.repair.reason =
      "a bubble goes with the schedule, other waiting with what makes ranks late: see the stragglers";
  finding.advice =
      "More micro-batches in a step, or interleaved stages, make the bubble smaller; what it is beyond that of "
      "equal stages goes with the stragglers.";
}

// Transfers that are slow themselves are no matter of overlap.
void tell_of_slow_links(const RunMetrics& metrics, Finding& finding) {
  const CollectiveMetrics* const slowest = slowest_on_its_link(metrics);
  if (slowest == nullptr || *slowest->share_of_link() >= kSlowLinks) return;
  finding.evidence += "; " + link_use_in_words(*slowest);
  finding.advice =
      "Look at the links first: nvidia-smi topo -m, nvidia-smi nvlink -s, NCCL_DEBUG=INFO. " + finding.advice;
}

bool may_wait_for_device(CallClass call, LedgerRow row) {
  return row == LedgerRow::kIdleHostSync ? blocks_host(call) : call == CallClass::kAllocation;
}

// Calls that wait until the device is done, as blocking ones and cudaFree do, may cost more than the row says: without
// them the host would run ahead, and what it does next would be hidden. Only the replay can tell how much that is.
void add_waiting_calls(const RunMetrics& metrics, const RowRule& rule, std::vector<Finding>& found) {
  uint64_t calls = 0;
  Nanoseconds blocked = 0;
  const CallMetrics* longest = nullptr;
  for (const CallMetrics& call : metrics.calls) {
    if (!may_wait_for_device(call.call_class, rule.row)) continue;
    calls += call.count;
    blocked += call.total;
    if (longest == nullptr) longest = &call;
  }
  if (calls < metrics.windows || metrics.windows == 0) return;
  const auto windows = static_cast<double>(metrics.windows);
  Finding finding{rule.id, Severity::kInfo, rule.title};
  finding.cost_ns_per_step = static_cast<double>(blocked) / windows;
  finding.tells = Tells::kWhat;
  finding.least_saving = rule.share;
  finding.repair = {.kind = RepairKind::kRow, .row = rule.row};
  const std::string count = fmt::format("{:.3g}", static_cast<double>(calls) / windows);
  finding.evidence = fmt::format(
      "the host waits in {} call{} per rank and step, mostly {}, for {}; what it does after finds the device idle",
      count, count == "1" ? "" : "s", longest->function, duration_text(finding.cost_ns_per_step));
  finding.advice = rule.advice;
  found.push_back(std::move(finding));
}

}  // namespace

void add_ledger_findings(const RunMetrics& metrics, std::vector<Finding>& found) {
  if (metrics.step_ns() <= 0) return;
  for (const RowRule& rule : kRowRules) {
    const RowPlace& place = metrics.row_places[static_cast<size_t>(rule.row)];
    if (place.of <= 0) continue;
    const auto time = static_cast<double>(place.time);
    const double share = time / static_cast<double>(place.of);
    if (share < rule.share) {
      if (rule.row == LedgerRow::kIdleHostSync || rule.row == LedgerRow::kIdleHostAllocation)
        add_waiting_calls(metrics, rule, found);
      continue;
    }
    Finding finding{rule.id, severity_of(share), rule.title};
    finding.tells = Tells::kWhat;
    finding.ranks = place.ranks;
    finding.steps = place.steps;
    finding.cost_ns_per_step = time / static_cast<double>(place.windows);
    finding.repair = repair_of(rule.row, place);
    finding.is_open = rule.row == LedgerRow::kExposedCommUnsplit;
    finding.evidence = evidence_of(rule, place);
    if (rule.row == LedgerRow::kIdleHostAllocation) finding.evidence += costliest_allocation(metrics);
    if (rule.row == LedgerRow::kUnclassified) finding.evidence += graphs_without_nodes(metrics);
    finding.advice = rule.advice;
    if (rule.row == LedgerRow::kExposedCommTransfer) tell_of_slow_links(metrics, finding);
    if (rule.row == LedgerRow::kExposedCommWait) tell_why_ranks_wait(metrics, finding);
    if (rule.row == LedgerRow::kUnclassified)
      finding.advice += fmt::format(" {} records what runs in CUDA graphs, at the price of {}, as without graphs.",
                                    kCaptureOfNodes, cost_of_nodes(metrics));
    CostliestPlace lies = costliest_line(metrics, rule.row);
    if (lies.where.empty()) lies = metrics.where[static_cast<size_t>(rule.row)];
    finding.where = lies.where;
    finding.where_share = std::min(1.0, static_cast<double>(lies.charged) / time);
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
