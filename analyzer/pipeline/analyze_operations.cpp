#include "pipeline/analyze_operations.h"

#include <cmath>

#include "operations/straggler_answers.h"

namespace tauprof {
namespace {

constexpr double kNsPerSecond = 1e9;

void describe_steps(const StragglerAnswers& answers, Report& report) {
  std::vector<Nanoseconds> durations;
  for (const JobStep& step : answers.steps) {
    durations.push_back(std::llround(step.recorded_s * kNsPerSecond));
    report.metrics.steps.selection.analysed.push_back({step.number, step.recorded_s * kNsPerSecond, 0});
    report.metrics.steps.selection.numbers.insert(step.number);
  }
  report.metrics.steps.selection.outside = answers.steps_outside;
  report.metrics.steps.step_duration = statistics_of(std::move(durations));
  report.facts.steps_origin = StepOrigin::kTrace;
  report.facts.steps_source = "operation trace";
  report.facts.steps_confidence = 1;
}

}  // namespace

Status analyze_operations(const std::vector<OperationLog>& logs, const std::optional<StepRange>& steps, Report& report,
                          std::vector<std::string>& notes) {
  const OperationLog& log = logs.front();
  for (size_t i = 1; i < logs.size(); ++i)
    notes.push_back(logs[i].file + ": a second operation trace of this run, skipped; import it into another directory");
  StragglerAnswers& answers = report.job.emplace();
  if (Status status = answer_stragglers(log.trace, steps, answers); !status.is_ok())
    return Status::error(log.file + ": " + status.message());
  describe_steps(answers, report);
  RunFacts& facts = report.facts;
  facts.source = log.source;
  facts.ranks = static_cast<int32_t>(answers.ranks.size());
  facts.world_size = answers.world_size;
  facts.events = log.trace.rows.size();
  facts.bytes = log.quality.bytes;
  facts.lost_records = log.quality.lost_records;
  facts.lost_bytes = log.quality.lost_bytes;
  facts.files_read = 1;
  facts.files_damaged = log.quality.damaged_regions > 0;
  facts.files_cut_short = log.quality.is_cut_short;
  return Status::ok();
}

Status check_operations(const OperationTrace& trace) { return check_operation_trace(trace); }

}  // namespace tauprof
