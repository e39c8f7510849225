// Which steps and ranks of a run the page draws span by span.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "html/page_timeline.h"
#include "pipeline/replayed_run.h"
#include "report/report.h"

namespace tauprof {

struct StepChoice {
  int64_t number = 0;
  std::vector<std::string> because;
};

// A typical step (the nearest to the median), the slowest, the last, and those that findings name, by number.
std::vector<StepChoice> choose_steps(const Report& report);

// These, and all others of the analysed steps that have device times, by number; of more than `most`, the slowest.
// `left_out`: how many others there are.
std::vector<StepChoice> with_other_steps(std::vector<StepChoice> chosen, const Report& report, size_t most,
                                         size_t& left_out);

// Indices into run.ranks, by rank: of those that are reported and timed, all if they are few enough, else those that
// findings name and then those that caused most waiting. `left_out`: how many others there are.
std::vector<uint32_t> choose_ranks(const ReplayedRun& run, const Report& report, size_t& left_out);

// The waiting that each reported rank caused, by step, as the stragglers' table has it; of too many, of the same ranks
// as above.
CausedWaiting caused_waiting(const Report& report);

}  // namespace tauprof
