// tauprof analyze: the report of a run, on the terminal or as JSON.
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/printed_report.h"
#include "pipeline/analyze_run.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace tauprof {
namespace {

struct Arguments {
  std::string path, json, run, ranks, steps, rules;
  std::optional<double> batch, tokens, model_flops, peak_tflops;
};

bool parse_number(std::string_view text, int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0;
}

// "0,4-7" → {0, 4, 5, 6, 7}; an empty set if the text has another form.
std::set<int32_t> parse_ranks(std::string_view text) {
  constexpr int64_t kMostRanks = 1 << 20;
  std::set<int32_t> ranks;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const size_t dash = item.find('-');
    int64_t first, last;
    if (!parse_number(item.substr(0, dash), first)) return {};
    last = first;
    if (dash != item.npos && !parse_number(item.substr(dash + 1), last)) return {};
    if (last < first || last >= kMostRanks) return {};
    for (int64_t rank = first; rank <= last; ++rank) ranks.insert(static_cast<int32_t>(rank));
  }
  return ranks;
}

// "A:B", "A:", ":B" or "A"; both ends are included.
std::optional<StepRange> parse_steps(std::string_view text) {
  StepRange range{0, INT64_MAX};
  const size_t colon = text.find(':');
  const std::string_view first = text.substr(0, colon);
  if (!first.empty() && !parse_number(first, range.first)) return std::nullopt;
  if (colon == text.npos) {
    range.last = range.first;
    return first.empty() ? std::nullopt : std::optional(range);
  }
  const std::string_view last = text.substr(colon + 1);
  if (!last.empty() && !parse_number(last, range.last)) return std::nullopt;
  return range.last >= range.first ? std::optional(range) : std::nullopt;
}

int analyze(const Arguments& arguments) {
  AnalysisOptions options;
  options.path = arguments.path;
  if (!arguments.run.empty()) options.run = arguments.run;
  if (!arguments.ranks.empty()) options.ranks = parse_ranks(arguments.ranks);
  if (!arguments.steps.empty()) options.steps = parse_steps(arguments.steps);
  if (!arguments.rules.empty()) options.rules = arguments.rules;
  options.batch = arguments.batch;
  options.tokens = arguments.tokens;
  options.efficiency.tokens = arguments.tokens;
  options.efficiency.batch = arguments.batch;
  options.efficiency.model_flops = arguments.model_flops;
  if (arguments.peak_tflops) options.efficiency.peak_flops = 1e12 * *arguments.peak_tflops;
  if (isatty(STDERR_FILENO)) options.progress = show_progress;
  Report report;
  std::vector<std::string> notes;
  const Status status = analyze_run(options, report, notes);
  for (const std::string& note : notes) spdlog::warn(note);
  if (!status.is_ok()) {
    spdlog::error(status.message());
    return kNothingUsable;
  }
  const bool shows_text = arguments.json != "-";
  if (shows_text && !print_report(text_report(report))) return kFailed;
  if (!arguments.json.empty() && !write_json_report(arguments.json, json_report(report))) return kFailed;
  return kDone;
}

}  // namespace

void add_analyze_command(CommandLine& line) {
  Command command = line.add("analyze", "Report where the time of a run goes, and why");
  const auto arguments = std::make_shared<Arguments>();
  command.option("DIR", arguments->path, "A log directory, or one log").required();
  command.option("--json", arguments->json,
                 "Write the report as JSON to FILE; -: to standard output, instead of the text");
  command.option("--run", arguments->run, "Analyse this run of the directory (default: the newest)")
      .check([](const std::string& id) { return id.empty() ? "an empty run id names no run" : std::string(); });
  command.option("--ranks", arguments->ranks, "Report the time of these ranks only, e.g. 0,4-7")
      .check([](const std::string& text) {
        return parse_ranks(text).empty() ? "'" + text + "' is not a list of ranks such as 0,4-7" : std::string();
      });
  command.option("--steps", arguments->steps, "Analyse steps A to B only, e.g. 10:20")
      .check([](const std::string& text) {
        return parse_steps(text) ? std::string() : "'" + text + "' is not a range of steps such as 10:20";
      });
  command.option("--rules", arguments->rules, "Rules for phases that go before the shipped ones (docs/phases.md)")
      .existing_file();
  command.option("--batch", arguments->batch, "Samples per rank and step, for samples/s").positive();
  command.option("--tokens", arguments->tokens, "Tokens per rank and step, for tokens/s").positive();
  command
      .option("--model-flops", arguments->model_flops,
              "Floating-point operations that the model needs for a step of the whole job, for MFU")
      .positive();
  command
      .option("--peak-tflops", arguments->peak_tflops,
              "Dense peak of one device, instead of the data sheet's, for MFU and HFU")
      .positive();
  command.run([arguments] { return analyze(*arguments); });
}

}  // namespace tauprof
