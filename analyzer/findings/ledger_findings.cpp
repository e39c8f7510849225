#include "findings/ledger_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "limits/analysis_limits.h"

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
            "More or faster loader workers, a deeper prefetch, or decoding on the device."},
    RowRule{
        LedgerRow::kIdleHostSync, kAvoidableShare, "host-sync", "Blocking calls drain the device",
        "Find .item(), .cpu(), print and synchronize in the loop; read losses back every n steps and asynchronously."},
    RowRule{LedgerRow::kIdleHostLaunch, kInherentShare, "launch-bound", "The host cannot launch fast enough",
            "CUDA graphs, torch.compile, larger batches, fused optimizers; look for slow host code between launches."},
    RowRule{LedgerRow::kIdleHostStall, kAvoidableShare, "host-stall", "Launching threads stop while the device idles",
            "Look at what the thread waits for: locks, I/O, garbage collection, CPU contention."},
    RowRule{LedgerRow::kExposedCommTransfer, kInherentShare, "exposed-comm",
            "Communication is not hidden under computation",
            "Overlap it (bucket sizes, prefetch of shards, separate streams) or send less."},
    RowRule{LedgerRow::kExposedCommUnsplit, kInherentShare, "exposed-comm-unsplit",
            "Communication is exposed; waiting and moving cannot be told apart",
            "Analyse the logs of all ranks of the communicator together."},
    RowRule{LedgerRow::kExposedCommWait, kInherentShare, "comm-wait", "Ranks wait for each other",
            "See the stragglers: the wait is theirs, not the network's."},
    RowRule{LedgerRow::kExposedCopy, kAvoidableShare, "exposed-copy", "Copies run while nothing computes",
            "Pinned memory and non_blocking copies on a stream of their own, one batch ahead."},
    RowRule{LedgerRow::kIdleDependency, kInherentShare, "dependency", "The device waits for events of other streams",
            "Check which stream the waits are for; split large copies or buckets so that work can begin earlier."},
    RowRule{LedgerRow::kUnclassified, kUnclassifiedShare, "unclassified", "Work that no rule classifies",
            "It is listed under quality. For what is in CUDA graphs, add graph-nodes to TAUPROF_CAPTURE."},
    RowRule{LedgerRow::kIdleOther, kUnexplainedShare, "unexplained-idle", "Idle time that the records do not explain",
            "Record host calls too (TAUPROF_CAPTURE), or look for launches from libraries that bypass the runtime."},
};

// The source line to which most of the row is charged; empty: no line has a tenth of it.
std::string costliest_line(const RunMetrics& metrics, LedgerRow row) {
  const auto number = static_cast<size_t>(row);
  std::map<std::string_view, Nanoseconds> by_line;
  for (const SourceLineMetrics& line : metrics.source_lines) by_line[line.where] += line.charged[number];
  const auto most = std::max_element(by_line.begin(), by_line.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const bool is_worth_it = most != by_line.end() && 10 * most->second >= metrics.ledger.rows()[number];
  return is_worth_it ? std::string(most->first) : std::string();
}

}  // namespace

void add_ledger_findings(const RunMetrics& metrics, std::vector<Finding>& found) {
  const auto total_ns = static_cast<double>(metrics.step_ns());
  if (total_ns <= 0) return;
  const LedgerRows rows = metrics.ledger.rows();
  for (const RowRule& rule : kRowRules) {
    const auto ns = static_cast<double>(rows[static_cast<size_t>(rule.row)]);
    const double share = ns / total_ns;
    if (share < rule.share) continue;
    Finding finding{rule.id, severity_of(share), rule.title};
    finding.saves_ns_per_step = metrics.windows > 0 ? ns / static_cast<double>(metrics.windows) : 0;
    finding.evidence = fmt::format("{} is {:.1f} % of all ranks' step time ({:.3f} ms per rank and step)",
                                   row_name(rule.row), 100 * share, finding.saves_ns_per_step / 1e6);
    finding.advice = rule.advice;
    finding.where = costliest_line(metrics, rule.row);
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
