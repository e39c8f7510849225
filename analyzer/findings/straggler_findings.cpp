#include "findings/straggler_findings.h"

#include <fmt/format.h>

namespace tauprof {

void add_straggler_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  for (size_t i = 0; i < metrics.stragglers.found.size(); ++i) {
    const Straggler& straggler = metrics.stragglers.found[i];
    Finding finding{"straggler", severity_of(straggler.score),
                    fmt::format("Rank {} holds up the others", straggler.rank)};
    finding.evidence = fmt::format(
        "the others waited {:.1f} ms for it in {} of {} {}{}; it arrived last at {:.0f} % of its collectives; "
        "cause: {}{}",
        straggler.blamed_ns / 1e6, straggler.steps.size(), metrics.steps.analysed.size(),
        facts.is_by_time() ? "slice" : "step", metrics.steps.analysed.size() == 1 ? "" : "s",
        100 * straggler.last_share, kCauseNames[static_cast<size_t>(straggler.cause)],
        straggler.is_within_clock_bound ? "; its clock may be wrong by as much" : "");
    if (straggler.is_within_clock_bound) finding.severity = Severity::kInfo;
    finding.ranks = {straggler.rank};
    finding.steps = straggler.steps;
    finding.saves_ns_per_step = straggler.cost_ns_per_step;
    finding.where = metrics.where_of_stragglers[i].where;
    finding.advice = "Compare this rank's ledger with its peers' (per_rank) on the row that the cause names.";
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
