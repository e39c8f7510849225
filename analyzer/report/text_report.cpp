#include "report/text_report.h"

#include "report/collective_text.h"
#include "report/communication_text.h"
#include "report/efficiency_text.h"
#include "report/finding_text.h"
#include "report/input_text.h"
#include "report/job_text.h"
#include "report/ledger_text.h"
#include "report/link_model_text.h"
#include "report/progress_text.h"
#include "report/recording_text.h"
#include "report/step_text.h"
#include "report/straggler_text.h"
#include "report/work_text.h"

namespace tauprof {

std::string text_report(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  std::string text = recording_text(report.facts);
  if (report.job) return terminal_lines(text + steps_text(report) + job_text(*report.job));
  text += progress_text(metrics.progress);
  text += findings_text(report);
  text += steps_text(report);
  text += ledger_text(report);
  text += phases_text(report);
  text += input_text(report);
  text += overlap_text(metrics.overlap);
  text += ranks_text(report);
  text += stragglers_text(report);
  text += collectives_text(metrics);
  text += links_text(metrics.links);
  text += communication_text(metrics);
  text += efficiency_text(report);
  text += kernels_text(metrics);
  text += calls_text(metrics);
  text += slow_calls_text(metrics);
  return terminal_lines(text);
}

}  // namespace tauprof
