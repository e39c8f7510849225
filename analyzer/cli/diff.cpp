// tauprof diff: what changed between two groups of runs, and whether that is more than chance.
#include "diff/diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/output_forms.h"
#include "cli/printed_report.h"
#include "cli/progress_line.h"
#include "cli/run_choice.h"
#include "diff/diff_forms.h"
#include "diff/diff_runs.h"
#include "import/input_kind.h"
#include "pipeline/analyze_run.h"
#include "report/read_report.h"

namespace tauprof {
namespace {

struct DiffArguments {
  std::vector<std::string> a, b;
  std::string show, ranks, steps;
  OutputForms forms;
  std::optional<double> fail_above, batch, tokens;
};

// "DIR@ID" names a run of a directory; a path that exists is a path.
void split_run(const std::string& name, AnalysisOptions& options) {
  options.paths = {name};
  const size_t at = name.rfind('@');
  std::error_code ignored;
  if (at == std::string::npos || at + 1 == name.size() || std::filesystem::exists(name, ignored)) return;
  options.paths = {name.substr(0, at)};
  options.run = name.substr(at + 1);
}

// JSON that is not a trace is read as a report; the reader says what is missing.
bool is_report(const std::string& name) {
  const InputKind kind = input_kind(name);
  return kind == InputKind::kReport || kind == InputKind::kJson;
}

Status analyze_logs(const std::string& name, const DiffArguments& arguments, Report& report) {
  AnalysisOptions options;
  split_run(name, options);
  if (!arguments.ranks.empty()) options.ranks = parse_ranks(arguments.ranks);
  if (!arguments.steps.empty()) options.steps = parse_steps(arguments.steps);
  options.batch = arguments.batch;
  options.tokens = arguments.tokens;
  std::vector<std::string> notes;
  const Status status = with_progress([&](Progress* progress) {
    options.progress = progress;
    return analyze_run(options, report, notes);
  });
  for (const std::string& note : notes) spdlog::warn(note);
  return status;
}

Status load_report(const std::string& name, const DiffArguments& arguments, Report& report) {
  for (const auto& [option, given] : {std::pair("steps", arguments.steps), std::pair("ranks", arguments.ranks)})
    if (!given.empty())
      return Status::error(
          fmt::format("{}: a report, whose {} are chosen already; --{} needs the logs", name, option, option));
  const Status status = read_report(name, report);
  if (arguments.batch) report.batch = arguments.batch;
  if (arguments.tokens) report.tokens = arguments.tokens;
  return status;
}

// False if a run cannot be compared: leaving it out would answer another question than the one that was asked.
bool analyze_side(const std::vector<std::string>& names, const DiffArguments& arguments,
                  std::vector<AnalyzedRun>& runs) {
  for (const std::string& name : names) {
    AnalyzedRun run;
    run.path = name;
    run.is_read = is_report(name);
    Status status = run.is_read ? load_report(name, arguments, run.report) : analyze_logs(name, arguments, run.report);
    if (status.is_ok()) status = can_be_compared(run);
    if (!status.is_ok()) {
      spdlog::error(status.message());
      return false;
    }
    runs.push_back(std::move(run));
  }
  return true;
}

int judge(const Diff& diff, double fail_above) {
  const StepDiff& step = diff.step;
  if (step.outcome == Outcome::kNotJudged) {
    spdlog::error("--fail-above: {}", not_judged_because(diff));
    return kNothingUsable;
  }
  const double percent = 100 * step.time.means.ratio().value_or(0);
  if (step.outcome != Outcome::kSlower || percent <= fail_above) return kDone;
  spdlog::error("--fail-above {}: A's step is {:.2f} % slower", fail_above, percent);
  return kLimitExceeded;
}

std::string text_of(const Diff& diff, const std::string& show) {
  std::string complaint;
  return diff_text(diff, show.empty() ? std::vector<std::string>() : parse_diff_sections(show, complaint),
                   style_of_stdout().width);
}

int compare(const DiffArguments& arguments) {
  if (!arguments.forms.can_be_written()) return kFailed;
  std::vector<AnalyzedRun> a, b;
  if (!analyze_side(arguments.a, arguments, a) || !analyze_side(arguments.b, arguments, b)) return kNothingUsable;
  const Diff diff = diff_runs(a, b);
  if (!arguments.forms.takes_standard_output() && !print_report(text_of(diff, arguments.show))) return kFailed;
  if (!arguments.forms.write([&] { return diff_json(diff); }, [&] { return diff_markdown(diff); },
                             [&] { return diff_junit(diff, arguments.fail_above); }))
    return kFailed;
  return arguments.fail_above ? judge(diff, *arguments.fail_above) : kDone;
}

}  // namespace

void add_diff_command(CommandLine& line) {
  Command command = line.add("diff", "Compare runs: did the step change, by more than chance, and what explains it");
  const auto arguments = std::make_shared<DiffArguments>();
  command
      .option("A", arguments->a,
              "Log directories or traces of the runs to judge, or their JSON reports; DIR@ID names a run of several")
      .required()
      .not_empty();
  command
      .option("--against B", arguments->b,
              "The same of the runs to compare them with. Several runs on each side tell how much runs differ by "
              "themselves")
      .required()
      .not_empty();
  arguments->forms.add_to(command, "comparison");
  std::vector<std::string> names;
  for (const std::string_view name : diff_section_names()) names.emplace_back(name);
  command
      .option(
          "--show LIST", arguments->show,
          fmt::format("Print these sections below the verdict, e.g. ranks,kernels: {}; or all", fmt::join(names, ", "))
              .c_str())
      .suggests_list(names)
      .check([](const std::string& list) {
        std::string complaint;
        parse_diff_sections(list, complaint);
        return complaint;
      });
  command
      .option("--fail-above PCT", arguments->fail_above,
              "Exit with status 5 if A's step is slower by more than this many per cent, and by more than chance; with "
              "3 if that cannot be judged")
      .not_negative();
  add_ranks_choice(command, arguments->ranks,
                   "Compare the time of these ranks of each run only, e.g. 0,4-7; waits cover all ranks");
  add_steps_choice(command, arguments->steps, "Compare steps A to B of each run only, e.g. 10:20");
  command.option("--batch", arguments->batch, "Samples per rank and step of all runs, for samples/s").positive();
  command.option("--tokens", arguments->tokens, "Tokens per rank and step of all runs, for tokens/s").positive();
  command.footer("Example, for a script:\n  tauprof diff new-1 new-2 --against old-1 old-2 --fail-above 2");
  command.run([arguments] { return compare(*arguments); });
}

}  // namespace tauprof
