// Steps of a process on its host clock, and the evidence for them.
#pragma once

#include <string>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct FoundSteps {
  std::vector<HostStep> steps;  // by start; empty: none were found
  std::string source;           // as in ProcessTrace::steps_source
  std::string reason;           // the evidence in words
  double confidence = 0;        // 0 to 1
};

}  // namespace tauprof
