// The answer to a question: a run's steps if something were different.
#pragma once

#include <optional>
#include <string>

namespace tauprof {

struct Answer {
  std::optional<double> step_ns;  // the mean of the analysed steps; none: not known, for this reason
  double contention_ns = 0;       // how much shorter it is because kernels run beside less communication
  std::string reason;
};

}  // namespace tauprof
