// Kernels, copies and memsets of all ranks by name and class, over the analysed steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/efficiency/roofline.h"
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
  KnownWork work;
  LeastTimes least;
  Roofline roofline;
};

// The longest first. `peak_flops`: that the user gave for all devices. Rooflines are found later, from all of them.
std::vector<KernelMetrics> kernel_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                                        const std::optional<double>& peak_flops = std::nullopt);

}  // namespace tauprof
