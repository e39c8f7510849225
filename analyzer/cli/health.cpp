// tauprof health: a checklist of a run, for scripts and for a first look.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/output_forms.h"
#include "cli/printed_report.h"
#include "cli/progress_line.h"
#include "cli/run_choice.h"
#include "pipeline/analyze_run.h"
#include "report/json_documents.h"
#include "report/text_documents.h"

namespace tauprof {
namespace {

struct HealthArguments {
  std::vector<std::string> paths;
  std::string run, ranks, steps;
  OutputForms forms;
  std::optional<double> batch, tokens;
  GivenPeaks peaks;
};

int check_health(const HealthArguments& arguments) {
  if (!arguments.forms.can_be_written()) return kFailed;
  AnalysisOptions options;
  options.paths = arguments.paths;
  if (!arguments.run.empty()) options.run = arguments.run;
  if (!arguments.ranks.empty()) options.ranks = parse_ranks(arguments.ranks);
  if (!arguments.steps.empty()) options.steps = parse_steps(arguments.steps);
  options.efficiency.tokens = arguments.tokens;
  options.efficiency.batch = arguments.batch;
  arguments.peaks.fill(options);
  Report report;
  std::vector<std::string> notes;
  Status status = with_progress([&](Progress* progress) {
    options.progress = progress;
    return analyze_run(options, report, notes);
  });
  for (const std::string& note : notes) spdlog::warn(note);
  if (status.is_ok() && report.job)
    status =
        Status::error(options.name() + ": an operation trace has none of what is checked; tauprof analyze reads it");
  if (!status.is_ok()) {
    spdlog::error(status.message());
    return kNothingUsable;
  }
  const std::vector<HealthCheck> checks = health_of(report.facts, report.metrics, report.findings);
  if (!arguments.forms.takes_standard_output() && !print_report(health_text(checks, style_of_stdout()))) return kFailed;
  if (!arguments.forms.write([&] { return health_json(checks, report.facts.id); },
                             [&] { return health_markdown(checks, report.facts.id); },
                             [&] { return health_junit(checks); }))
    return kFailed;
  const bool has_failed = std::any_of(checks.begin(), checks.end(),
                                      [](const HealthCheck& check) { return check.outcome == HealthOutcome::kFail; });
  return has_failed ? kLimitExceeded : kDone;
}

}  // namespace

void add_health_command(CommandLine& line) {
  Command command = line.add("health", "Check a run: a line each that passes, fails, or cannot be told");
  const auto arguments = std::make_shared<HealthArguments>();
  add_logs(command, arguments->paths);
  arguments->forms.add_to(command, "checklist");
  add_run_choice(command, arguments->run,
                 "Check this run of the directory (default: the newest with logs of all its ranks)");
  add_ranks_choice(command, arguments->ranks, "Check the time of these ranks only, e.g. 0,4-7; waits cover all ranks");
  add_steps_choice(command, arguments->steps, "Check steps A to B only, e.g. 10:20");
  command.option("--batch", arguments->batch, "Samples per rank and step, for MFU").positive();
  command.option("--tokens", arguments->tokens, "Tokens per rank and step, for MFU; without it PyTorch is asked")
      .positive();
  add_peak_choices(command, arguments->peaks);
  command.footer(
      "Exit status: 0 if nothing failed, 5 if something did, 3 if nothing can be read.\n"
      "\n"
      "Example: tauprof health tauprof-logs || echo look at it");
  command.run([arguments] { return check_health(*arguments); });
}

}  // namespace tauprof
