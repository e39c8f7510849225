#include "findings/find_findings.h"

#include <algorithm>

#include "findings/change_findings.h"
#include "findings/compiler_findings.h"
#include "findings/copy_findings.h"
#include "findings/input_findings.h"
#include "findings/ledger_findings.h"
#include "findings/memory_findings.h"
#include "findings/option_advice.h"
#include "findings/product_findings.h"
#include "findings/progress_findings.h"
#include "findings/quality_findings.h"
#include "findings/step_findings.h"
#include "findings/straggler_findings.h"
#include "findings/update_findings.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// Waiting that stragglers cause is said with these.
void drop_explained_waits(const RunMetrics& metrics, std::vector<Finding>& found) {
  double explained = 0;  // as a share of all ranks' time
  for (const Straggler& straggler : metrics.stragglers.found) explained += straggler.score;
  const auto waited = static_cast<double>(metrics.ledger.rows()[static_cast<size_t>(LedgerRow::kExposedCommWait)]);
  if (explained * static_cast<double>(metrics.step_ns()) < kExplainedWaits * waited) return;
  if (explained > 0) std::erase_if(found, [](const Finding& finding) { return finding.id == "comm-wait"; });
}

}  // namespace

std::vector<Finding> find_findings(const RunFacts& facts, const RunMetrics& metrics) {
  std::vector<Finding> found;
  add_ledger_findings(metrics, found);
  add_copy_findings(facts, metrics, found);
  add_product_findings(facts, metrics, found);
  add_update_findings(facts, metrics, found);
  add_straggler_findings(facts, metrics, found);
  drop_explained_waits(metrics, found);
  add_change_findings(facts, metrics, found);
  add_compiler_findings(facts, metrics, found);
  advise_by_options(facts, metrics, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Finding& a, const Finding& b) { return a.cost_ns_per_step > b.cost_ns_per_step; });
  add_memory_findings(metrics, found);
  add_quality_findings(facts, metrics, found);
  add_progress_findings(metrics, found);
  add_input_findings(metrics, found);
  add_step_findings(facts, metrics, found);
  // Whatever else was slow, it does not go on.
  std::stable_partition(found.begin(), found.end(), [](const Finding& finding) { return finding.id == "hang"; });
  return found;
}

}  // namespace tauprof
