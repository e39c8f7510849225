// Who finds what, in the order in which a report without prices has it. Each adds whole findings and reads metrics,
// never raw spans. A new kind of finding is a row in findings.def and a line in the finder of its family, or one here.
#pragma once

#include <string_view>
#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

using Finder = void (*)(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);

// The command that finds the line of the program at which a host spends a row's time; empty: the lines are known, or
// no recording finds it. (A host that launches slowly does so at many lines, and a loader's are known by its options.)
std::string_view how_to_find_the_line(LedgerRow row, const RunFacts& facts, const RunMetrics& metrics);

// Rows of the time ledger that take too large a share of the step.
void add_ledger_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// Copies of input: from pageable memory, awaited by the host, or in line with what computes.
void add_copy_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// Matrix products: float32 without TF32, sizes that do not suit tensor cores.
void add_product_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// An optimizer that works tensor by tensor, or operation by operation, and could do it in one pass.
void add_update_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// Ranks that delay the others.
void add_straggler_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// Steps that took longer than the others, and steps from which on all took longer or less long.
void add_change_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// torch.compile: graphs that break; and what was found above is about compiling again where PyTorch did that in few
// steps whose hosts were busy, so this comes after those.
void add_compiler_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);

// Device memory that grows.
void add_memory_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// The records themselves: what is missing, lost or contradictory limits what a report can say.
void add_quality_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// Jobs that hang, and ranks that did not call the same collectives.
void add_progress_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// How input arrives.
void add_input_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);
// How steps were found.
void add_step_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
