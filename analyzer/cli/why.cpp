// tauprof why: the chain from a rank's waiting to its first cause.
#include <spdlog/spdlog.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/printed_report.h"
#include "cli/progress_line.h"
#include "cli/run_choice.h"
#include "pipeline/explain_wait.h"
#include "report/text_documents.h"

namespace tauprof {
namespace {

struct WhyArguments {
  std::vector<std::string> paths;
  std::string whose, run, steps, rules;
  GivenHostTimes host_times;
};

struct RankAndStep {
  int32_t rank = -1;
  std::optional<int64_t> step;
};

// "2" or "2@17"; none: it is neither.
std::optional<RankAndStep> parse_whose(const std::string& text) {
  const size_t at = text.find('@');
  const std::set<int32_t> ranks = parse_ranks(std::string_view(text).substr(0, at));
  if (ranks.size() != 1) return std::nullopt;
  RankAndStep whose{*ranks.begin(), std::nullopt};
  if (at == text.npos) return whose;
  const std::optional<StepRange> step = parse_steps(std::string_view(text).substr(at + 1));
  if (!step || step->first != step->last) return std::nullopt;
  whose.step = step->first;
  return whose;
}

int explain(WhyArguments& arguments) {
  // DIR takes all that is left, and the last of it is RANK.
  arguments.whose = arguments.paths.back();
  arguments.paths.pop_back();
  const std::optional<RankAndStep> whose = parse_whose(arguments.whose);
  if (!whose || arguments.paths.empty()) {
    spdlog::error("why: '{}' is {}; tauprof why DIR 2 asks about rank 2, tauprof why DIR 2@17 about it in step 17",
                  arguments.whose, whose ? "a rank without a DIR" : "no rank, nor a rank in a step");
    return kWrongUsage;
  }
  RunChoice choice;
  choice.paths = arguments.paths;
  if (!arguments.run.empty()) choice.run = arguments.run;
  if (!arguments.steps.empty()) choice.steps = parse_steps(arguments.steps);
  if (!arguments.rules.empty()) choice.rules = arguments.rules;
  arguments.host_times.fill(choice);
  WhyReport report;
  std::vector<std::string> notes;
  const Status status = with_progress([&](Progress* progress) {
    choice.progress = progress;
    return explain_wait(choice, whose->rank, whose->step, report, notes);
  });
  for (const std::string& note : notes) spdlog::warn(note);
  if (!status.is_ok()) {
    spdlog::error(status.message());
    return kNothingUsable;
  }
  return print_report(why_text(report, style_of_stdout().width)) ? kDone : kFailed;
}

}  // namespace

void add_why_command(CommandLine& line) {
  Command command = line.add("why", "Say why a rank waited: from its longest wait to the first cause");
  const auto arguments = std::make_shared<WhyArguments>();
  add_logs(command, arguments->paths);
  command.option("RANK", arguments->whose, "The rank that waited, e.g. 2; or 2@17, in step 17 only");
  add_run_choice(command, arguments->run,
                 "Of this run of the directory (default: the newest with logs of all its ranks)");
  add_steps_choice(command, arguments->steps, "Its waits in steps A to B only, e.g. 10:20");
  add_rules_choice(command, arguments->rules);
  add_host_times_choices(command, arguments->host_times);
  command.footer(
      "Example: tauprof why tauprof-logs 0@17\n"
      "\n"
      "The tables of tauprof export have each time that it names (docs/stragglers.md,\n"
      "\"Following blame\").");
  command.run([arguments] { return explain(*arguments); });
}

}  // namespace tauprof
