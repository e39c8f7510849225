// Which steps count: the user's choice, else all but the warm-up.
//
// Warm-up: the leading steps that take longer than 1.5 times the median of the later half, if eight or more steps were
// recorded. Example: of 900, 310, 100, 101, 99, 100, 102, 100 ms the first two are warm-up. If no rank has device
// times, the steps' times on the host count; so does that of a first step that the host prepares before its work.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "model/rank_timeline.h"
#include "model/step_range.h"

namespace tauprof {

struct StepDuration {
  int64_t number = 0;
  std::optional<double> device_ns;  // mean over the ranks that have the step, with device times
  double host_ns = 0;               // mean over the ranks that have the step
  double ahead_ns = 0;              // the part of device_ns that only a first step has (StepWindow::ahead)

  // To compare with other steps: the host prepares each of those while the device still works for the one before.
  std::optional<double> comparable_ns() const {
    return device_ns ? std::optional(*device_ns - ahead_ns) : std::nullopt;
  }
};

struct StepSelection {
  std::vector<StepDuration> analysed;  // by number
  size_t warmup = 0;                   // leading steps left out
  size_t outside = 0;                  // steps outside the user's choice

  bool has(int64_t number) const { return numbers.count(number) != 0; }

  std::set<int64_t> numbers;
};

StepSelection select_steps(const std::vector<RankTimeline>& ranks, const std::optional<StepRange>& choice);

}  // namespace tauprof
