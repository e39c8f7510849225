#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "findings/asked_settings.h"
#include "findings/finders.h"
#include "findings/graph_records.h"
#include "findings/link_use.h"
#include "limits/analysis_limits.h"
#include "metrics/kernels/kernel_totals.h"

namespace tauprof {
namespace {

// A row of the ledger that is a finding from a share of the step on.
struct RowRule {
  LedgerRow row;
  double share;
  FindingId id;
};

constexpr std::array kRowRules = {
    RowRule{LedgerRow::kIdleDataWait, kAvoidableShare, FindingId::kDataWait},
    RowRule{LedgerRow::kIdleHostSync, kAvoidableShare, FindingId::kHostSync},
    RowRule{LedgerRow::kIdleHostAllocation, kAvoidableShare, FindingId::kAllocation},
    RowRule{LedgerRow::kIdleHostLaunch, kInherentShare, FindingId::kLaunchBound},
    RowRule{LedgerRow::kIdleHostStall, kAvoidableShare, FindingId::kHostStall},
    RowRule{LedgerRow::kExposedCommTransfer, kInherentShare, FindingId::kExposedComm},
    RowRule{LedgerRow::kExposedCommUnsplit, kInherentShare, FindingId::kExposedCommUnsplit},
    RowRule{LedgerRow::kExposedCommWait, kInherentShare, FindingId::kCommWait},
    RowRule{LedgerRow::kExposedCopy, kAvoidableShare, FindingId::kExposedCopy},
    RowRule{LedgerRow::kIdleDependency, kInherentShare, FindingId::kDependency},
    RowRule{LedgerRow::kIdleDeviceLatency, kInherentShare, FindingId::kDeviceLatency},
    RowRule{LedgerRow::kUnclassified, kUnclassifiedShare, FindingId::kUnclassified},
    RowRule{LedgerRow::kIdleOther, kUnexplainedShare, FindingId::kUnexplainedIdle},
};

static_assert(kRowRules.size() == kLedgerRowCount - 2, "every row in which nothing computes costs time");

// The source line to which most of the row is charged, if one has a tenth of it.
CostliestPlace costliest_line(const RunMetrics& metrics, LedgerRow row) {
  const auto number = static_cast<size_t>(row);
  std::map<std::string_view, Nanoseconds> by_line;
  for (const SourceLineMetrics& line : metrics.work.source_lines) by_line[line.where] += line.charged[number];
  const auto most = std::max_element(by_line.begin(), by_line.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const bool is_worth_it =
      most != by_line.end() &&
      static_cast<double>(most->second) >= kAtALine * static_cast<double>(metrics.time.ledger.rows()[number]);
  return is_worth_it ? CostliestPlace{std::string(most->first), most->second} : CostliestPlace();
}

// "idle_host_stall is 87.0 % of the time of rank 2 in step 4 (19.12 ms per rank and step there)".
Statement evidence_of(const RowRule& rule, const RowPlace& place) {
  const bool has_all_steps = place.steps.empty();
  const double there = has_all_steps ? static_cast<double>(place.of_all_steps) : static_cast<double>(place.of_steps);
  const auto windows = static_cast<double>(has_all_steps ? place.windows : place.windows_of_steps);
  const auto time = static_cast<double>(place.time);
  const Statement share = said(row_name(rule.row), " is ", Share{time / there}, " of ");
  const Duration mean{time / windows};
  if (place.ranks.empty() && has_all_steps) return said(share, "all ranks' step time (", mean, " per rank and step)");
  return said(share, "the time of ", place.ranks.empty() ? said("all ranks") : said(Ranks{place.ranks}),
              has_all_steps ? Statement() : said(" in ", Steps{place.steps}), " (", mean, " per rank and step there)");
}

// " (rank 2; steps 4, 8)"; empty: of all ranks in all steps.
Statement of_whom(const RowPlace& place) {
  Statement whom;
  if (!place.ranks.empty()) whom.also(said(Ranks{place.ranks}));
  if (!place.steps.empty()) whom.also(said(Steps{place.steps}));
  return whom.empty() ? whom : said(" (", whom, ")");
}

// Removes the time of a row. For some rows nothing tells what would have to go.
Repair repair_of(LedgerRow row, const RowPlace& place, const RunMetrics& metrics) {
  Repair repair{.kind = RepairKind::kRow, .row = row, .ranks = place.ranks, .steps = place.steps};
  if (row == LedgerRow::kIdleHostLaunch) {
    repair.kind = RepairKind::kAsGraph;
  } else if (row == LedgerRow::kExposedCommWait) {
    repair.kind = RepairKind::kNone;
    repair.reason = metrics.communication.messages.pipelines.empty()
                        ? metrics.stragglers.found.empty()
                              ? "no rank is late by more than chance, so nothing tells what would have to go"
                              : "waiting goes with what makes ranks late: see the stragglers"
                        : "a bubble goes with the schedule, other waiting with what makes ranks late: see the "
                          "stragglers";
  } else if (row == LedgerRow::kUnclassified || row == LedgerRow::kIdleOther) {
    repair.kind = RepairKind::kNone;
    repair.reason = "the records do not tell what would have to go";
  }
  return repair;
}

// "mostly cudaFree (12.3 ms in 4 calls in all)". The calls' own time, whether or not the device was idle meanwhile.
Statement costliest_allocation(const RunMetrics& metrics) {
  for (const CallMetrics& call : metrics.work.calls)
    if (call.call_class == CallClass::kAllocation)
      return said("mostly ", call.function, " (", Duration{static_cast<double>(call.total)}, " in ",
                  Count{static_cast<double>(call.count), "call", "calls"}, " in all)");
  return {};
}

// "CUDA graphs whose nodes have no records run for 83.9 % of the time (412 nodes per rank and step)".
Statement graphs_without_nodes(const RunMetrics& metrics) {
  Nanoseconds time = 0;
  for (const KernelMetrics& kernel : metrics.work.kernels)
    if (kernel.span_class == SpanClass::kUnclassified && kernel.name == kGraphName) time += kernel.total;
  if (time == 0) return {};
  const double share = static_cast<double>(time) / static_cast<double>(metrics.step_ns());
  Statement text =
      said("CUDA graphs whose nodes have no records run for ", Share{std::min(1.0, share)}, " of the time");
  if (metrics.work.graph_nodes != 0) text.add(" (", nodes_of_graphs(metrics), " nodes per rank and step)");
  if (metrics.work.conditional_nodes != 0)
    text.also("nobody knows how often the bodies of their conditional nodes run, nor which collectives with them");
  return text;
}

// In a pipeline, stages wait for each other even if none is late: "the pipeline's bubble is 21.3 % of its stages'
// time, 20.0 % with equal stages".
Statement largest_bubble(const std::vector<Pipeline>& pipelines) {
  if (pipelines.empty()) return {};
  const auto largest = std::max_element(pipelines.begin(), pipelines.end(),
                                        [](const Pipeline& a, const Pipeline& b) { return a.bubble < b.bubble; });
  Statement text = said("the pipeline's bubble is ", Share{largest->bubble}, " of its stages' time");
  return largest->ideal_bubble ? text.add(", ", Share{*largest->ideal_bubble}, " with equal stages") : text;
}

Statement advice_on_waiting(const RunMetrics& metrics) {
  if (!metrics.communication.messages.pipelines.empty())
    return "More micro-batches in a step, or interleaved stages, make the bubble smaller; what it is beyond that of "
           "equal stages goes with the stragglers.";
  if (metrics.stragglers.found.empty())
    return "No rank is late by more than chance explains. Look at what makes hosts and kernels vary (--show "
           "ranks,phases).";
  return kind_of(FindingId::kCommWait).advice;
}

// Transfers that are slow themselves are no matter of overlap. Null: none is.
const CollectiveMetrics* slow_transfer(const RunMetrics& metrics) {
  const CollectiveMetrics* const slowest = slowest_on_its_link(metrics);
  return slowest == nullptr || *slowest->share_of_link() >= kSlowLinks ? nullptr : slowest;
}

Statement more_evidence(LedgerRow row, const RunMetrics& metrics) {
  if (row == LedgerRow::kIdleHostAllocation) return costliest_allocation(metrics);
  if (row == LedgerRow::kUnclassified) return graphs_without_nodes(metrics);
  if (row == LedgerRow::kExposedCommWait) return largest_bubble(metrics.communication.messages.pipelines);
  const CollectiveMetrics* const slow = row == LedgerRow::kExposedCommTransfer ? slow_transfer(metrics) : nullptr;
  return slow == nullptr ? Statement() : link_use_of(*slow);
}

Statement advice_on(FindingId id, const RunMetrics& metrics) {
  const std::string_view general = kind_of(id).advice;
  if (id == FindingId::kCommWait) return advice_on_waiting(metrics);
  if (id == FindingId::kUnclassified)
    return said(general, " ", kCaptureOfNodes, " records what runs in CUDA graphs, at the price of ",
                cost_of_nodes(metrics), ", as without graphs.");
  if (id == FindingId::kExposedComm && slow_transfer(metrics) != nullptr)
    return said("Look at the links first: nvidia-smi topo -m, nvidia-smi nvlink -s, NCCL_DEBUG=INFO. ", general);
  return general;
}

// Waiting that stragglers cause is said with these.
bool is_explained(const RunMetrics& metrics) {
  double explained = 0;  // as a share of all ranks' time
  for (const Straggler& straggler : metrics.stragglers.found) explained += straggler.score;
  const auto waited = static_cast<double>(metrics.time.ledger.rows()[static_cast<size_t>(LedgerRow::kExposedCommWait)]);
  return explained > 0 && explained * static_cast<double>(metrics.step_ns()) >= kExplainedWaits * waited;
}

// The source line that most of the row is charged to, or its place among the program's ranges.
void locate(LedgerRow row, const RunMetrics& metrics, double time, Finding& finding) {
  CostliestPlace lies = costliest_line(metrics, row);
  if (lies.where.empty()) lies = metrics.time.where[static_cast<size_t>(row)];
  finding.where = lies.where;
  finding.where_share = std::min(1.0, static_cast<double>(lies.charged) / time);
}

bool may_wait_for_device(CallClass call, LedgerRow row) {
  return row == LedgerRow::kIdleHostSync ? blocks_host(call) : call == CallClass::kAllocation;
}

// Calls that wait until the device is done, as blocking ones and cudaFree do, may cost more than the row says: without
// them the host would run ahead, and what it does next would be hidden. Only the replay can tell how much that is.
void add_waiting_calls(const RunFacts& facts, const RunMetrics& metrics, const RowRule& rule,
                       std::vector<Finding>& found) {
  uint64_t calls = 0;
  Nanoseconds blocked = 0;
  const CallMetrics* longest = nullptr;
  for (const CallMetrics& call : metrics.work.calls) {
    if (!may_wait_for_device(call.call_class, rule.row)) continue;
    calls += call.count;
    blocked += call.total;
    if (longest == nullptr) longest = &call;
  }
  if (calls < metrics.time.windows || metrics.time.windows == 0) return;
  const auto windows = static_cast<double>(metrics.time.windows);
  Finding finding(rule.id);
  finding.cost_ns_per_step = static_cast<double>(blocked) / windows;
  finding.tells = Tells::kWhat;
  finding.least_saving = rule.share;
  finding.repair = {.kind = RepairKind::kRow, .row = rule.row};
  finding.evidence = said("the host waits in ", Count{static_cast<double>(calls) / windows, "call", "calls"},
                          " per rank and step, mostly ", longest->function, ", for ",
                          Duration{finding.cost_ns_per_step}, "; what it does after finds the device idle");
  finding.advice = option_advice(rule.id, facts, metrics, finding.advice).advice;
  found.push_back(std::move(finding));
}

}  // namespace

std::string_view how_to_find_the_line(LedgerRow row, const RunFacts& facts, const RunMetrics& metrics) {
  const bool hides_it = row == LedgerRow::kIdleHostStall || row == LedgerRow::kIdleHostSync;
  if (!hides_it || facts.source != "preload" || !metrics.work.source_lines.empty()) return {};
  return "tauprof run --stacks slow -- COMMAND names the line. ";
}

void add_ledger_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  if (metrics.step_ns() <= 0) return;
  for (const RowRule& rule : kRowRules) {
    const RowPlace& place = metrics.time.row_places[static_cast<size_t>(rule.row)];
    if (place.of_all_steps <= 0) continue;
    const auto time = static_cast<double>(place.time);
    const double share = time / static_cast<double>(place.of_all_steps);
    if (share < rule.share) {
      if (rule.row == LedgerRow::kIdleHostSync || rule.row == LedgerRow::kIdleHostAllocation)
        add_waiting_calls(facts, metrics, rule, found);
      continue;
    }
    if (rule.row == LedgerRow::kExposedCommWait && is_explained(metrics)) continue;
    const OptionAdvice options = option_advice(rule.id, facts, metrics, advice_on(rule.id, metrics));
    Finding finding(rule.id, severity_of(share));
    finding.title.add(of_whom(place));
    finding.tells = Tells::kWhat;
    finding.ranks = place.ranks;
    finding.steps = place.steps;
    finding.cost_ns_per_step = time / static_cast<double>(place.windows);
    finding.repair = repair_of(rule.row, place, metrics);
    finding.is_open = rule.row == LedgerRow::kExposedCommUnsplit;
    finding.evidence = evidence_of(rule, place).also(more_evidence(rule.row, metrics)).also(options.evidence);
    finding.advice = said(how_to_find_the_line(rule.row, facts, metrics), options.advice);
    locate(rule.row, metrics, time, finding);
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
