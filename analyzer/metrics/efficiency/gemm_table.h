// Matrix multiplications of all ranks by function, shape and precision, over the analysed steps; and the kernels that
// multiply matrices of unknown size.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "metrics/efficiency/roofline.h"
#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct GemmMetrics {
  std::string function;
  GemmShape shape;
  Precision precision = Precision::kUnknown;
  uint64_t count = 0;
  Nanoseconds total = 0;           // of their kernels
  std::optional<double> ideal_ns;  // at the peaks of their devices; empty: not known
  MovedBytes bytes;                // of one
  LeastTimes least;
  Roofline roofline;
  // The time of all of them at their neighbour's rate (metrics/efficiency/product_rates.h); empty: there is no
  // neighbour.
  std::optional<double> at_neighbour_ns;
  std::optional<double> in_tf32_ns;  // the same in TF32, of products of float32

  double flops_per_s() const {
    return total > 0 ? 1e9 * shape.flops * static_cast<double>(count) / static_cast<double>(total) : 0;
  }
  std::optional<double> share_of_peak() const {
    return ideal_ns && total > 0 ? std::optional(*ideal_ns / static_cast<double>(total)) : std::nullopt;
  }
  // The larger of the two savings, at the neighbour's rate or in TF32; 0: nothing, or not known.
  double gain_ns() const {
    const auto now = static_cast<double>(total);
    return now - std::min({now, at_neighbour_ns.value_or(now), in_tf32_ns.value_or(now)});
  }
  // The time above the ideal; all of it where that is not known.
  double lost_ns() const { return static_cast<double>(total) - ideal_ns.value_or(0); }
};

struct UncountedKernels {
  std::string name;
  MatrixKernel kind = MatrixKernel::kNone;
  uint64_t count = 0;
  Nanoseconds total = 0;
};

// Peaks of a rank's device by precision, in FLOP/s; 0: not known.
using PeaksOfRanks = std::vector<PerPrecision<double>>;

// `peaks`: as `ranks`. What loses most time first.
std::vector<GemmMetrics> gemm_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                                    const PeaksOfRanks& peaks);
// The longest first.
std::vector<UncountedKernels> uncounted_table(const std::vector<const RankTimeline*>& ranks,
                                              const StepSelection& steps);

}  // namespace tauprof
