#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "findings/duration_text.h"
#include "findings/finders.h"
#include "findings/graph_records.h"
#include "findings/link_use.h"
#include "findings/option_advice.h"
#include "findings/rank_words.h"
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

// The command that finds the line of the program at which a host spends its time.
constexpr std::string_view kRecordStacks = "tauprof run --stacks slow -- COMMAND names the line. ";

// A host that launches slowly does so at many lines, and a loader's are known by its options.
bool hides_its_line(LedgerRow row) { return row == LedgerRow::kIdleHostStall || row == LedgerRow::kIdleHostSync; }

bool can_record_stacks(const RunFacts& facts, const RunMetrics& metrics) {
  return facts.source == "preload" && metrics.work.source_lines.empty();
}

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

// " (rank 2, steps 4, 8)"; empty: of all ranks in all steps.
std::string of_whom(const RowPlace& place) {
  if (place.ranks.empty() && place.steps.empty()) return "";
  return fmt::format(" ({}{}{})", place.ranks.empty() ? "" : ranks_in_words(place.ranks),
                     place.ranks.empty() || place.steps.empty() ? "" : "; ",
                     place.steps.empty() ? "" : steps_in_words(place.steps));
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

// "; mostly cudaFree (12.3 ms in 4 calls)". The calls' own time, whether or not the device was idle meanwhile.
std::string costliest_allocation(const RunMetrics& metrics) {
  for (const CallMetrics& call : metrics.work.calls)
    if (call.call_class == CallClass::kAllocation)
      return fmt::format("; mostly {} ({} in {} call{} in all)", call.function,
                         duration_text(static_cast<double>(call.total)), call.count, call.count == 1 ? "" : "s");
  return "";
}

// "; CUDA graphs whose nodes have no records run for 83.9 % of the time (412 nodes per rank and step)".
std::string graphs_without_nodes(const RunMetrics& metrics) {
  Nanoseconds time = 0;
  for (const KernelMetrics& kernel : metrics.work.kernels)
    if (kernel.span_class == SpanClass::kUnclassified && kernel.name == kGraphName) time += kernel.total;
  if (time == 0) return "";
  const double share = static_cast<double>(time) / static_cast<double>(metrics.step_ns());
  std::string text =
      fmt::format("; CUDA graphs whose nodes have no records run for {:.1f} % of the time", 100 * std::min(1.0, share));
  if (metrics.work.graph_nodes != 0)
    text += fmt::format(" ({:.0f} nodes per rank and step)",
                        static_cast<double>(metrics.work.graph_nodes) / static_cast<double>(metrics.time.windows));
  if (metrics.work.conditional_nodes != 0)
    text += "; nobody knows how often the bodies of their conditional nodes run, nor which collectives with them";
  return text;
}

// In a pipeline, stages wait for each other even if none is late: "; the pipeline's bubble is 21.3 % of its stages'
// time, 20.0 % with equal stages".
std::string largest_bubble(const std::vector<Pipeline>& pipelines) {
  if (pipelines.empty()) return "";
  const auto largest = std::max_element(pipelines.begin(), pipelines.end(),
                                        [](const Pipeline& a, const Pipeline& b) { return a.bubble < b.bubble; });
  const std::string ideal =
      largest->ideal_bubble ? fmt::format(", {:.1f} % with equal stages", 100 * *largest->ideal_bubble) : "";
  return fmt::format("; the pipeline's bubble is {:.1f} % of its stages' time{}", 100 * largest->bubble, ideal);
}

std::string advice_on_waiting(const RunMetrics& metrics) {
  if (!metrics.communication.messages.pipelines.empty())
    return "More micro-batches in a step, or interleaved stages, make the bubble smaller; what it is beyond that of "
           "equal stages goes with the stragglers.";
  if (metrics.stragglers.found.empty())
    return "No rank is late by more than chance explains. Look at what makes hosts and kernels vary (--show "
           "ranks,phases).";
  return std::string(kind_of(FindingId::kCommWait).advice);
}

// Transfers that are slow themselves are no matter of overlap. Null: none is.
const CollectiveMetrics* slow_transfer(const RunMetrics& metrics) {
  const CollectiveMetrics* const slowest = slowest_on_its_link(metrics);
  return slowest == nullptr || *slowest->share_of_link() >= kSlowLinks ? nullptr : slowest;
}

std::string more_evidence(LedgerRow row, const RunMetrics& metrics) {
  if (row == LedgerRow::kIdleHostAllocation) return costliest_allocation(metrics);
  if (row == LedgerRow::kUnclassified) return graphs_without_nodes(metrics);
  if (row == LedgerRow::kExposedCommWait) return largest_bubble(metrics.communication.messages.pipelines);
  const CollectiveMetrics* const slow = row == LedgerRow::kExposedCommTransfer ? slow_transfer(metrics) : nullptr;
  return slow == nullptr ? "" : "; " + link_use_in_words(*slow);
}

std::string advice_on(FindingId id, const RunMetrics& metrics) {
  const std::string_view general = kind_of(id).advice;
  if (id == FindingId::kCommWait) return advice_on_waiting(metrics);
  if (id == FindingId::kUnclassified)
    return fmt::format("{} {} records what runs in CUDA graphs, at the price of {}, as without graphs.", general,
                       kCaptureOfNodes, cost_of_nodes(metrics));
  if (id == FindingId::kExposedComm && slow_transfer(metrics) != nullptr)
    return fmt::format("Look at the links first: nvidia-smi topo -m, nvidia-smi nvlink -s, NCCL_DEBUG=INFO. {}",
                       general);
  return std::string(general);
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
  const std::string count = fmt::format("{:.3g}", static_cast<double>(calls) / windows);
  finding.evidence = fmt::format(
      "the host waits in {} call{} per rank and step, mostly {}, for {}; what it does after finds the device idle",
      count, count == "1" ? "" : "s", longest->function, duration_text(finding.cost_ns_per_step));
  finding.advice = option_advice(rule.id, facts, metrics, finding.advice).advice;
  found.push_back(std::move(finding));
}

}  // namespace

void add_ledger_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  if (metrics.step_ns() <= 0) return;
  for (const RowRule& rule : kRowRules) {
    const RowPlace& place = metrics.time.row_places[static_cast<size_t>(rule.row)];
    if (place.of <= 0) continue;
    const auto time = static_cast<double>(place.time);
    const double share = time / static_cast<double>(place.of);
    if (share < rule.share) {
      if (rule.row == LedgerRow::kIdleHostSync || rule.row == LedgerRow::kIdleHostAllocation)
        add_waiting_calls(facts, metrics, rule, found);
      continue;
    }
    if (rule.row == LedgerRow::kExposedCommWait && is_explained(metrics)) continue;
    const OptionAdvice options = option_advice(rule.id, facts, metrics, advice_on(rule.id, metrics));
    const bool needs_line = hides_its_line(rule.row) && can_record_stacks(facts, metrics);
    Finding finding(rule.id, severity_of(share));
    finding.title += of_whom(place);
    finding.tells = Tells::kWhat;
    finding.ranks = place.ranks;
    finding.steps = place.steps;
    finding.cost_ns_per_step = time / static_cast<double>(place.windows);
    finding.repair = repair_of(rule.row, place, metrics);
    finding.is_open = rule.row == LedgerRow::kExposedCommUnsplit;
    finding.evidence = evidence_of(rule, place) + more_evidence(rule.row, metrics) + options.evidence;
    finding.advice = (needs_line ? std::string(kRecordStacks) : "") + options.advice;
    locate(rule.row, metrics, time, finding);
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
