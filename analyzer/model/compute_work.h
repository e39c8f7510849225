// How much a rank had to compute, whatever time it took.
//
// There are three measures, because none shows everything. One more layer means more kernels; a longer batch, or more
// tokens for a rank's experts, means the same kernels on larger matrices and grids. metrics/stragglers/more_work.h
// decides when a measure says "more".
#pragma once

#include <algorithm>
#include <array>
#include <vector>

namespace tauprof {

struct ComputeWork {
  double kernels = 0;
  double flops = 0;    // of matrix multiplications with recorded sizes
  double threads = 0;  // in the grids of other kernels, if the log has them

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

// The median of each measure, the lower one if the number is even. `works` has at least one element.
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
