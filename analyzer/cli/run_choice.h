// Which part of a run a command is about, as its options say.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "model/step_range.h"
#include "pipeline/analyze_run.h"

namespace tauprof {

// "0,4-7" → {0, 4, 5, 6, 7}; an empty set if the text has another form.
std::set<int32_t> parse_ranks(std::string_view text);
// "A:B", "A:", ":B" or "A"; both ends are included.
std::optional<StepRange> parse_steps(std::string_view text);

// The options that several commands have: DIR, --run, --steps, --ranks, --rules. A value stays empty if it is not given.
void add_logs(Command& command, std::vector<std::string>& paths);
void add_run_choice(Command& command, std::string& run, const char* meaning);
void add_steps_choice(Command& command, std::string& steps, const char* meaning);
void add_ranks_choice(Command& command, std::string& ranks, const char* meaning);
void add_rules_choice(Command& command, std::string& rules);

// The source of the host's times without the recorder: --step-time or --host-times.
struct GivenHostTimes {
  std::optional<double> step_ms;
  std::string second_run;

  void fill(RunChoice& choice) const;
};
void add_host_times_choices(Command& command, GivenHostTimes& given);

// The user's figures for the model and the devices: --model-flops, --peak-tflops, --link-gbps.
struct GivenPeaks {
  std::optional<double> model_flops, peak_tflops, link_gbps;

  void fill(AnalysisOptions& options) const;
};
void add_peak_choices(Command& command, GivenPeaks& peaks);

}  // namespace tauprof
