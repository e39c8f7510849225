// tauprof whatif: how long steps would be if something were different.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/printed_report.h"
#include "cli/progress_line.h"
#include "cli/run_choice.h"
#include "pipeline/answer_questions.h"
#include "replay/question.h"
#include "report/json_documents.h"
#include "report/text_documents.h"

namespace tauprof {
namespace {

struct Arguments {
  std::vector<std::string> paths;
  std::string json, run, ranks, steps, rules;
  GivenHostTimes host_times;
  std::vector<Scenario> scenarios = std::vector<Scenario>(1);
};

constexpr const char* kFooter =
    R"(WHAT is kernel:GLOB, phase:NAME, op:NAME (all_reduce ...), comm:GLOB (a
communicator) or copy:NAME (h2d ...).
Options between two --or are one scenario: they hold together.

Examples:
  tauprof whatif logs --speed 'kernel:nvjet*=2x'   # products on H100 and newer
  tauprof whatif logs --fix rank:3 --or --without stalls   # two scenarios
  tauprof whatif logs --without data-waits,rank:3  # rank 3 awaits no loader
  tauprof whatif logs --fix rank:3 --speed phase:backward=1.5x   # both at once
  tauprof whatif logs --link op:all_reduce,beta=2x # twice the bandwidth
  tauprof whatif logs --bucket-mb 1..100           # buckets of 1, 2, 4 ... MB
  tauprof whatif logs --as-graph                   # each step is one CUDA graph
  tauprof whatif logs --without communication      # moving data takes no time

docs/whatif.md says what each question means and what the answers cannot know.)";

// The error in the scenarios; empty: there is none.
std::string complaint(const std::vector<Scenario>& scenarios) {
  const auto is_about_buckets = [](const Question& question) { return question.kind == Question::Kind::kBuckets; };
  for (const Scenario& scenario : scenarios) {
    if (scenario.empty())
      return scenarios.size() > 1 ? "a question is missing before or after --or"
                                  : "a question is missing; see tauprof whatif --help for --speed, --without, --fix, "
                                    "--link, --bucket-mb, --as-graph, --tf32, --aligned, --fuse-update";
    if (scenario.size() > 1 && std::any_of(scenario.begin(), scenario.end(), is_about_buckets))
      return "--bucket-mb cannot be replayed together with other changes; put --or between them";
  }
  return {};
}

int answer(const Arguments& arguments) {
  if (const std::string wrong = complaint(arguments.scenarios); !wrong.empty()) {
    spdlog::error("whatif: {}", wrong);
    return kWrongUsage;
  }
  if (!can_write_report(arguments.json)) return kFailed;
  RunChoice choice;
  choice.paths = arguments.paths;
  if (!arguments.run.empty()) choice.run = arguments.run;
  if (!arguments.ranks.empty()) choice.ranks = parse_ranks(arguments.ranks);
  if (!arguments.steps.empty()) choice.steps = parse_steps(arguments.steps);
  if (!arguments.rules.empty()) choice.rules = arguments.rules;
  arguments.host_times.fill(choice);
  WhatIfReport report;
  std::vector<std::string> notes;
  const Status status = with_progress([&](Progress* progress) {
    choice.progress = progress;
    return answer_questions(choice, arguments.scenarios, report, notes);
  });
  for (const std::string& note : notes) spdlog::warn(note);
  if (!status.is_ok()) {
    spdlog::error(status.message());
    return kNothingUsable;
  }
  if (arguments.json != "-" && !print_report(whatif_text(report, style_of_stdout().width))) return kFailed;
  if (!arguments.json.empty() && !write_report(arguments.json, whatif_json(report))) return kFailed;
  return kDone;
}

// An option that adds a question to the last scenario.
void add_question(Command& command, const std::string& option, const char* value, std::vector<Scenario>& scenarios,
                  const char* meaning) {
  const std::vector<std::string> words = words_of_question(option);
  command
      .each(("--" + option + " " + value).c_str(),
            [&scenarios, option](const std::string& given) {
              Question question;
              if (read_question(option, given, question).empty()) scenarios.back().push_back(question);
            },
            meaning)
      .suggests_list(words)
      .check([option](const std::string& given) {
        Question question;
        return read_question(option, given, question);
      });
}

// The same for an option without a value.
void add_flag(Command& command, const std::string& option, std::vector<Scenario>& scenarios, const char* meaning) {
  command.each(("--" + option).c_str(), [&scenarios, option] { scenarios.back().push_back(question_of(option)); },
               meaning);
}

}  // namespace

void add_whatif_command(CommandLine& line) {
  Command command = line.add("whatif", "Replay a run with something changed: how long would its steps be?");
  const auto arguments = std::make_shared<Arguments>();
  std::vector<Scenario>& scenarios = arguments->scenarios;
  add_logs(command, arguments->paths);
  add_question(command, "speed", "WHAT=2x", scenarios, "WHAT is twice as fast; WHAT=0.5x: half as fast");
  add_question(
      command, "without", "WHAT", scenarios,
      "WHAT takes no time; or communication, copies, input-copies, dependencies, device-latency, stalls, data-waits, "
      "allocations, syncs, launches: of all ranks, of some (stalls,rank:3), of a pipeline stage (stalls,stage:1), in "
      "some steps (stalls,steps:4:9)");
  add_question(command, "fix", "WHAT", scenarios,
               "rank:N or stage:N (of a pipeline) is as fast as its peers; links:N: its links as fast as the others'; "
               "steps:A:B: these steps as the others; launches: as one CUDA graph; rank:3,steps:4:9: there only; "
               "rank:3,windows:4:9: in their device windows only; also host, device, else:ROW (docs/whatif.md)");
  add_question(command, "link", "WHAT,CHANGE", scenarios,
               "op:NAME or comm:GLOB, then ,alpha=0.5x (latency halved) or ,beta=2x (bandwidth doubled) or both");
  command
      .each(
          "--bucket-mb A..B",
          [&scenarios](const std::string& value) {
            const std::vector<Question> sizes = bucket_questions(value);
            for (size_t i = 0; i < sizes.size(); ++i) {
              if (i > 0) scenarios.emplace_back();
              scenarios.back().push_back(sizes[i]);
            }
          },
          "A scenario for each size of gradient buckets from A MB, doubled up to B; the best is named")
      .check([](const std::string& text) {
        return bucket_questions(text).empty() ? "'" + text + "' is no range of sizes in MB such as 1..100"
                                              : std::string();
      });
  add_flag(command, "as-graph", scenarios,
           "Each step is captured as a CUDA graph: the host launches once, and device work follows without a pause");
  add_flag(command, "tf32", scenarios, "Matrix products of float32 are computed in TF32");
  add_flag(command, "aligned", scenarios,
           "Matrix products whose sizes do not suit tensor cores run as fast as those whose sizes do");
  add_question(command, "fuse-update", "BYTES", scenarios,
               "The optimizer is one kernel, which reads and writes so many bytes on each rank");
  command.each(
      "--or", [&scenarios] { scenarios.emplace_back(); }, "What follows is another scenario");
  command
      .option("--json FILE", arguments->json,
              "Write the answers as JSON to FILE; -: to standard output, instead of the text")
      .not_empty();
  add_run_choice(command, arguments->run,
                 "Replay this run of the directory (default: the newest with logs of all its ranks)");
  add_ranks_choice(command, arguments->ranks,
                   "The mean of the steps of these ranks only, e.g. 0,4-7; all ranks are replayed");
  add_steps_choice(command, arguments->steps, "The mean of steps A to B only, e.g. 10:20");
  add_rules_choice(command, arguments->rules);
  add_host_times_choices(command, arguments->host_times);
  command.footer(kFooter);
  command.run([arguments] { return answer(*arguments); });
}

}  // namespace tauprof
