// Steps that took longer than the others, and steps from which on all took longer: what grew, and where.
//
// A *change* divides the steps in two, each around a duration of its own. The cut is where the distances from the
// medians of the two halves sum to the least. It counts if the medians are a tenth apart and nearly every step lies on
// its half's side of the middle between them. An *outlier* takes 1.5 times the median, of its half if there is a
// change.
//
// Example: steps of 100, 101, 99, 300, 100, 102, 151, 150, 152 and 149 ms. From the seventh on they take 150 ms instead
// of 100; the fourth is an outlier.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "metrics/run/step_growth.h"
#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct StepChange {
  std::vector<int64_t> steps;  // rising
  double usual_ns = 0;         // the median of the steps that it is compared with
  double changed_ns = 0;       // the mean of `steps`
  Growth grew;
};

struct StepChanges {
  std::vector<StepChange> outliers;  // one for each row and ranks
  std::optional<StepChange> change;
};

StepChanges step_changes(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

// The first step of the second half, as an index into the durations; 0: there is no change.
size_t changed_from(const std::vector<double>& durations);

}  // namespace tauprof
