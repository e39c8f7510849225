#include "metrics/efficiency/roofline.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "metrics/efficiency/device_peaks.h"

namespace tauprof {

void LeastTimes::add(double flops, Precision precision, const MovedBytes& bytes, const PerPrecision<double>& peaks,
                     std::string_view device_name) {
  const std::optional<double> bandwidth = memory_bandwidth(device_name);
  const double peak = peaks[static_cast<size_t>(precision)];
  is_known &= bandwidth && *bandwidth > 0 && bytes.is_known() && (flops <= 0 || peak > 0);
  if (!is_known) return;
  if (flops > 0) computing_ns += 1e9 * flops / peak;
  moving_ns += 1e9 * bytes.least / *bandwidth;
  moving_at_most_ns += 1e9 * bytes.most / *bandwidth;
}

Roofline roofline_of(const LeastTimes& least, uint64_t count, Nanoseconds total, double shortest_ns) {
  if (total <= 0) return {};
  const auto time = static_cast<double>(total);
  const double latency_ns = static_cast<double>(count) * shortest_ns;
  if (!least.is_known) {
    if (explains(latency_ns, time)) return {Bound::kLatency, latency_ns / time};
    return {};
  }
  const double other_ns = std::max(least.computing_ns, latency_ns);
  Bound bound = latency_ns >= least.computing_ns ? Bound::kLatency : Bound::kCompute;
  double bound_ns = other_ns;
  if (least.moving_ns > other_ns) {
    bound = Bound::kMemory;
    bound_ns = least.moving_ns;
  } else if (least.moving_at_most_ns > other_ns) {
    return {};
  }
  if (bound_ns > kMostOfPeak * time) return {};
  if (bound == Bound::kMemory && least.moving_at_most_ns > (1 + kKnownBytes) * least.moving_ns) return {bound, {}};
  return {bound, bound_ns / time};
}

}  // namespace tauprof
