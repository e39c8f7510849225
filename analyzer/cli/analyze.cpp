// tauprof analyze: the report of a run, on the terminal, as JSON or as a page.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/printed_report.h"
#include "cli/progress_line.h"
#include "cli/run_choice.h"
#include "pipeline/analyze_run.h"
#include "pipeline/step_timeline.h"
#include "report/json_documents.h"
#include "report/sections.h"
#include "report/text_documents.h"

namespace tauprof {
namespace {

struct Arguments {
  std::vector<std::string> paths;
  std::string json, html, show, run, ranks, steps, rules;
  std::optional<double> batch, tokens;
  bool is_brief = false;
  GivenPeaks peaks;
  GivenHostTimes host_times;
};

TextStyle style_of(const Arguments& arguments) {
  TextStyle style = style_of_stdout();
  std::string complaint;
  if (!arguments.show.empty()) style.sections = parse_sections(arguments.show, complaint);
  return style;
}

int analyze(const Arguments& arguments) {
  if (arguments.json == "-" && arguments.html == "-") {
    spdlog::error("--json - and --html - both want standard output; give one of them a file");
    return kWrongUsage;
  }
  for (const auto& [option, file] : {std::pair("--json", &arguments.json), std::pair("--html", &arguments.html)})
    if (arguments.is_brief && *file == "-") {
      spdlog::error("--brief and {0} - both want standard output; give {0} a file, or leave one of them out", option);
      return kWrongUsage;
    }
  if (!can_write_report(arguments.json) || !can_write_report(arguments.html)) return kFailed;
  AnalysisOptions options;
  options.paths = arguments.paths;
  if (!arguments.run.empty()) options.run = arguments.run;
  if (!arguments.ranks.empty()) options.ranks = parse_ranks(arguments.ranks);
  if (!arguments.steps.empty()) options.steps = parse_steps(arguments.steps);
  if (!arguments.rules.empty()) options.rules = arguments.rules;
  options.batch = arguments.batch;
  options.tokens = arguments.tokens;
  options.efficiency.tokens = arguments.tokens;
  options.efficiency.batch = arguments.batch;
  arguments.peaks.fill(options);
  arguments.host_times.fill(options);
  options.has_paths = !arguments.json.empty() || !arguments.html.empty() || need_paths(style_of(arguments).sections);
  Report report;
  std::vector<std::string> notes;
  ReplayedRun run;
  PageTimeline timeline;
  const Status status = with_progress([&](Progress* progress) {
    options.progress = progress;
    const Status analysed = analyze_run(options, run, report, notes);
    if (!analysed.is_ok() || arguments.html.empty()) return analysed;
    PhaseRules rules;
    if (Status read = read_rules(options.rules, rules); !read.is_ok()) return read;
    timeline = step_timeline(run, report, rules, progress);
    return analysed;
  });
  for (const std::string& note : notes) spdlog::warn(note);
  if (!status.is_ok()) {
    spdlog::error(status.message());
    return kNothingUsable;
  }
  const std::string shown = arguments.is_brief ? brief_json(report) : text_report(report, style_of(arguments));
  const bool shows_text = arguments.json != "-" && arguments.html != "-";
  if (shows_text && !print_report(shown)) return kFailed;
  if (!arguments.json.empty() && !write_report(arguments.json, json_report(report))) return kFailed;
  if (!arguments.html.empty() && !write_page(arguments.html, report, timeline)) return kFailed;
  return kDone;
}

}  // namespace

void add_analyze_command(CommandLine& line) {
  Command command = line.add("analyze", "Report where the time of a run goes, and why");
  const auto arguments = std::make_shared<Arguments>();
  std::vector<std::string> names;
  for (const ReportSection& section : sections()) names.emplace_back(section.name);
  add_logs(command, arguments->paths);
  command
      .option("--json FILE", arguments->json,
              "Write the report as JSON to FILE; -: to standard output, instead of the text")
      .not_empty();
  command
      .option("--html FILE", arguments->html,
              "Write the report as one HTML page to FILE, to be opened in a browser (docs/html.md); -: to standard "
              "output, instead of the text")
      .not_empty();
  command
      .option("--show LIST", arguments->show,
              ("Print these sections instead of the verdict, e.g. phases,ranks: " +
               fmt::format("{}", fmt::join(names, ", ")) + "; or all")
                  .c_str())
      .suggests_list(names)
      .check([](const std::string& list) {
        std::string complaint;
        parse_sections(list, complaint);
        return complaint;
      });
  command.flag("--brief", arguments->is_brief,
               "Print a digest in 40 lines of JSON, for scripts and assistants, instead of the text");
  add_run_choice(command, arguments->run,
                 "Analyse this run of the directory (default: the newest with logs of all its ranks)");
  add_ranks_choice(command, arguments->ranks, "Report the time of these ranks only, e.g. 0,4-7");
  add_steps_choice(command, arguments->steps, "Analyse steps A to B only, e.g. 10:20");
  add_rules_choice(command, arguments->rules);
  command.option("--batch", arguments->batch, "Samples per rank and step, for samples/s").positive();
  command.option("--tokens", arguments->tokens, "Tokens per rank and step, for tokens/s; without it PyTorch is asked")
      .positive();
  add_peak_choices(command, arguments->peaks);
  add_host_times_choices(command, arguments->host_times);
  command.footer(
      "Examples:\n"
      "  tauprof analyze tauprof-logs                      # verdict and repairs\n"
      "  tauprof analyze traces                            # of the PyTorch profiler\n"
      "  tauprof analyze tauprof-logs --show phases,ranks  # these sections; or all\n"
      "  tauprof analyze tauprof-logs --html report.html   # a page with a timeline\n"
      "  tauprof analyze tauprof-logs --steps 10:20 --json -   # for a script\n"
      "  tauprof analyze from-host-a from-host-b           # one run, no shared disk");
  command.run([arguments] { return analyze(*arguments); });
}

}  // namespace tauprof
