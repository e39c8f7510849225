// Time of a rank by cause and by step.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "metrics/stragglers/cause.h"
#include "model/flat_map.h"

namespace tauprof {

struct CauseTimes {
  bool is_timed = true;                        // else nothing is known of it
  std::array<double, kCauseCount> by_cause{};  // ns
  // The same by analysed step; steps without any are left out.
  FlatMap<size_t, std::array<double, kCauseCount>> by_step;

  void add(size_t step, Cause cause, double ns) {
    by_cause[static_cast<size_t>(cause)] += ns;
    by_step[step][static_cast<size_t>(cause)] += ns;
  }
  double total_ns() const { return std::accumulate(by_cause.begin(), by_cause.end(), 0.0); }
  double total_ns_in(size_t step) const {
    const auto found = by_step.find(step);
    return found == by_step.end() ? 0 : std::accumulate(found->second.begin(), found->second.end(), 0.0);
  }
  // The one with most of the time.
  Cause main_cause() const {
    return static_cast<Cause>(std::max_element(by_cause.begin(), by_cause.end()) - by_cause.begin());
  }
};

}  // namespace tauprof
