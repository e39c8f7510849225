// Kernels, copies and memsets of all ranks by name and class, over the analysed steps.
#pragma once

#include <string>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "metrics/statistics/time_per_step.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct KernelMetrics {
  std::string name;
  SpanClass span_class = SpanClass::kUnclassified;
  uint64_t count = 0;
  Nanoseconds total = 0;
  TimePerStep per_step;  // for comparing runs; all kernels have the same stretches
};

// The longest first.
std::vector<KernelMetrics> kernel_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
