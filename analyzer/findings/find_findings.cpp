#include "findings/find_findings.h"

#include <algorithm>

#include "findings/finders.h"

namespace tauprof {
namespace {

// Findings that cost time are sorted by it …
constexpr Finder kCostly[] = {add_ledger_findings,    add_copy_findings,   add_product_findings, add_update_findings,
                              add_straggler_findings, add_change_findings, add_compiler_findings};
// … and come before those that limit the report, or cost nothing yet.
constexpr Finder kOthers[] = {add_memory_findings, add_quality_findings, add_progress_findings, add_input_findings,
                              add_step_findings};

}  // namespace

std::vector<Finding> find_findings(const RunFacts& facts, const RunMetrics& metrics) {
  std::vector<Finding> found;
  for (const Finder& add : kCostly) add(facts, metrics, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Finding& a, const Finding& b) { return a.cost_ns_per_step > b.cost_ns_per_step; });
  for (const Finder& add : kOthers) add(facts, metrics, found);
  put_hangs_first(found);
  return found;
}

void put_hangs_first(std::vector<Finding>& findings) {
  std::stable_partition(findings.begin(), findings.end(),
                        [](const Finding& finding) { return finding.id == FindingId::kHang; });
}

}  // namespace tauprof
