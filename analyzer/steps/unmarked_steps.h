// Steps of a program that does not mark them: runs the search (step_search/step_search.h) in a whole log and gives the
// steps as times, and the evidence in words.
#pragma once

#include <string>
#include <vector>

#include "model/process_trace.h"
#include "step_search/launch_sequence.h"

namespace tauprof {

struct FoundSteps {
  std::vector<HostStep> steps;  // empty: none were found
  std::string source;           // optimizer, backward, launches
  std::string reason;           // the evidence in words
  double confidence = 0;
};

FoundSteps find_unmarked_steps(const LaunchSequence& launches);

}  // namespace tauprof
