// How much a rank was asked to compute, apart from how long it took.
//
// Three measures, because none tells everything: a layer more is more kernels; a longer batch, or more tokens for a
// rank's experts, is the same kernels over larger matrices and grids. Which of them says "more" is decided in
// metrics/more_work.h.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

namespace tauprof {

struct ComputeWork {
  double kernels = 0;
  double flops = 0;    // of matrix multiplications whose sizes were recorded
  double threads = 0;  // in the grids of other kernels, where the log has them

  ComputeWork& operator+=(const ComputeWork& other) {
    kernels += other.kernels;
    flops += other.flops;
    threads += other.threads;
    return *this;
  }
  friend ComputeWork operator-(const ComputeWork& a, const ComputeWork& b) {
    return {a.kernels - b.kernels, a.flops - b.flops, a.threads - b.threads};
  }
};

inline constexpr std::array kWorkMeasures{&ComputeWork::kernels, &ComputeWork::flops, &ComputeWork::threads};

// Measure by measure, the lower one of an even number; `works` holds at least one.
inline ComputeWork lower_median(const std::vector<ComputeWork>& works) {
  ComputeWork median;
  std::vector<double> values(works.size());
  for (const auto measure : kWorkMeasures) {
    std::transform(works.begin(), works.end(), values.begin(), [&](const ComputeWork& work) { return work.*measure; });
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    median.*measure = *middle;
  }
  return median;
}

}  // namespace tauprof
