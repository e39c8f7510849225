// The sections of the text report, each in the source of its name: straggler_text.cpp has stragglers_text. Those that
// take a width fill lines of as many columns. A section that has nothing to say is empty.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"
#include "report/text_style.h"

namespace tauprof {

inline constexpr size_t kScreenLines = 25;

// The answer first, in at most 25 lines that stand alone: the run, the verdict, where the step goes, what to repair
// with the step that remains, and the checks.
std::string verdict_text(const Report& report, const TextStyle& style, size_t most_lines = kScreenLines);
// Of it, the repairs, in at most `most_lines` lines: the largest ones with evidence, place, advice and the step that
// they leave, others with their title, the rest counted.
std::string repairs_text(const Report& report, size_t width, size_t most_lines);
// Of it, what recording cost the job, and whether the report is of the job without it. Empty where nothing is known and
// nothing rests on it.
std::string cost_line(const Report& report, size_t width);
std::string cost_words(const Report& report);

// The command, where it ran, and how much of it was recorded.
std::string recording_text(const RunFacts& facts);
// Of an imported operation trace, all that there is.
std::string job_text(const StragglerAnswers& answers);
// Of a job that has not ended: who waits where, and for whom.
std::string progress_text(const RunMetrics& metrics, size_t width);
// With their evidence and advice.
std::string findings_text(const Report& report);

// How the steps were found, and their phases, which need device times.
std::string steps_text(const Report& report);
std::string phases_text(const Report& report, size_t width);

// Where the time goes; the overlap of computation and communication; both for each of several ranks.
std::string ledger_text(const Report& report, size_t width);
std::string overlap_text(const Overlap& overlap);
std::string ranks_text(const Report& report, size_t width);
// Of several ranks.
std::string stragglers_text(const Report& report);
// Each rank's waiting for input, and copying it.
std::string input_text(const Report& report, size_t width);

// A line for each communicator, operation, type and size.
std::string collectives_text(const RunMetrics& metrics, size_t width);
// Waiting by communicator, phase and rank; pipelines.
std::string communication_text(const RunMetrics& metrics, size_t width);
// The latency and bandwidth of each kind of collective.
std::string links_text(const LinkModel& links, size_t width);
// How the ranks share the work.
std::string parallelism_text(const RunMetrics& metrics, size_t width);

// The share of the devices' peak that was used.
std::string efficiency_text(const Report& report, size_t width);
std::string memory_text(const Report& report, size_t width);
// Clocks, power, temperature and throttling.
std::string telemetry_text(const Report& report, size_t width);

// The costliest kernels on the devices and calls on the hosts, and with recorded stacks their lines.
std::string kernels_text(const RunMetrics& metrics, size_t width);
// Time by operator, module and source line; empty unless it was asked for and is known.
std::string operators_text(const Report& report, size_t width);
std::string modules_text(const Report& report, size_t width);
std::string lines_text(const Report& report, size_t width);
std::string calls_text(const RunMetrics& metrics, size_t width);
std::string slow_calls_text(const RunMetrics& metrics, size_t width);

}  // namespace tauprof
