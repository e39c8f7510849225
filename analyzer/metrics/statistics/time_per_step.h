// A time per rank and step, and how it varies along the run.
#pragma once

#include <vector>

namespace tauprof {

struct TimePerStep {
  double mean_ns = 0;
  std::vector<double> in_stretches_ns;  // the means of stretches of the run of about equal length
};

}  // namespace tauprof
