// The answer to a question: a run's steps if something were different.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace tauprof {

struct Answer {
  struct Bounds {
    double least_ns, most_ns;
  };
  // The range in which the mean step may lie; none: it is known as precisely as the run's.
  std::optional<Bounds> between() const {
    const double middle = step_ns.value_or(0);
    const Bounds known = bounds.value_or(Bounds{middle, middle});
    return bounds || chance_ns > 0
               ? std::optional(Bounds{std::max(0.0, known.least_ns - chance_ns), known.most_ns + chance_ns})
               : std::nullopt;
  }

  std::optional<double> step_ns;  // the mean of the analysed steps; none: not known, for this reason
  double contention_ns = 0;       // how much shorter it is because kernels run beside less communication
  std::string reason;
  // As far as it rests on waits whose source is only assumed (doubt.h); none: it does not.
  std::optional<Bounds> bounds;
  std::vector<std::string> rests_on;  // the calls and kernels that wait, longest first
  std::vector<double> steps_ns;       // each step
  double chance_ns = 0;               // how far off the mean may be by chance (chance.h)
};

}  // namespace tauprof
