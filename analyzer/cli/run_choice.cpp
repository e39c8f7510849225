#include "cli/run_choice.h"

#include <algorithm>
#include <charconv>

#include "import/formats.h"

namespace tauprof {
namespace {

bool parse_number(std::string_view text, int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0;
}

}  // namespace

std::set<int32_t> parse_ranks(std::string_view text) {
  constexpr int64_t kMostAsked = 1 << 20;
  std::set<int32_t> ranks;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const size_t dash = item.find('-');
    int64_t first, last;
    if (!parse_number(item.substr(0, dash), first)) return {};
    last = first;
    if (dash != item.npos && !parse_number(item.substr(dash + 1), last)) return {};
    if (last < first || last >= kMostAsked) return {};
    for (int64_t rank = first; rank <= last; ++rank) ranks.insert(static_cast<int32_t>(rank));
  }
  return ranks;
}

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

void add_logs(Command& command, std::vector<std::string>& paths) {
  command
      .option("DIR", paths,
              ("Logs, " + traces_of_all_formats() +
               ", or directories of them; of several, those of one run are put together (docs/launchers.md)")
                  .c_str())
      .required()
      .not_empty();
}

void add_run_choice(Command& command, std::string& run, const char* meaning) {
  command.option("--run ID", run, meaning).check([](const std::string& id) {
    return id.empty() ? "an empty run id names no run" : std::string();
  });
}

void add_steps_choice(Command& command, std::string& steps, const char* meaning) {
  command.option("--steps A:B", steps, meaning).check([](const std::string& text) {
    return parse_steps(text) ? std::string() : "'" + text + "' is not a range of steps such as 10:20";
  });
}

void add_ranks_choice(Command& command, std::string& ranks, const char* meaning) {
  command.option("--ranks LIST", ranks, meaning).check([](const std::string& text) {
    return parse_ranks(text).empty() ? "'" + text + "' is not a list of ranks such as 0,4-7" : std::string();
  });
}

void add_rules_choice(Command& command, std::string& rules) {
  command.option("--rules FILE", rules, "Rules for phases that go before the shipped ones (docs/phases.md)")
      .existing_file();
}

void GivenHostTimes::fill(RunChoice& choice) const {
  if (step_ms) choice.step_ns = 1e6 * *step_ms;
  if (!second_run.empty()) choice.host_times = {second_run};
}

void add_host_times_choices(Command& command, GivenHostTimes& given) {
  command
      .option("--step-time MS", given.step_ms,
              "Milliseconds that a step takes without tauprof, as the training's own log says: the host's times are "
              "scaled to that, since taking device times slows it (docs/metrics.md)")
      .positive();
  command
      .option("--host-times DIR", given.second_run,
              "Logs of the same job recorded with TAUPROF_DEVICE_TIMING=off: the host's times come from there")
      .not_empty()
      .not_with("--step-time");
}

void GivenPeaks::fill(AnalysisOptions& options) const {
  options.efficiency.model_flops = model_flops;
  if (peak_tflops) options.efficiency.peak_flops = 1e12 * *peak_tflops;
  if (link_gbps) options.efficiency.link_gb_per_s = *link_gbps / 8;
}

void add_peak_choices(Command& command, GivenPeaks& peaks) {
  command
      .option("--model-flops", peaks.model_flops,
              "Floating-point operations that the model needs for a step of the whole job, for MFU")
      .positive();
  command
      .option("--peak-tflops", peaks.peak_tflops,
              "Dense peak of one device, instead of the data sheet's, for MFU and HFU")
      .positive();
  command
      .option(
          "--link-gbps", peaks.link_gbps,
          "Gigabits per second that a device can send to the others, instead of the data sheet's: 400 for a card of "
          "InfiniBand NDR, which is 50 GB/s")
      .positive();
}

}  // namespace tauprof
