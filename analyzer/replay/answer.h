// The answer to a question: a run's steps if something were different.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tauprof {

struct Answer {
  std::optional<double> step_ns;  // the mean of the analysed steps; none: not known, for this reason
  double contention_ns = 0;       // how much shorter it is because kernels run beside less communication
  std::string reason;
  // What it may be, as far as it rests on waits whose source is only assumed (doubt.h); none: it does not.
  struct Bounds {
    double least_ns, most_ns;
  };
  std::optional<Bounds> bounds;
  std::vector<std::string> rests_on;  // the calls and kernels that wait, longest first
};

}  // namespace tauprof
