#include "metrics/run/bounds_of_work.h"

#include <algorithm>
#include <limits>

namespace tauprof {
namespace {

// The mean time of the kernel that takes least: what launching one costs the device.
double shortest_ns(const std::vector<KernelMetrics>& kernels) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const KernelMetrics& kernel : kernels)
    if (kernel.span_class == SpanClass::kCompute && kernel.total > 0)
      shortest = std::min(shortest, static_cast<double>(kernel.total) / static_cast<double>(kernel.count));
  return shortest;
}

}  // namespace

// Communication waits for others, and an unclassified graph holds whatever it holds.
void find_bounds(std::vector<KernelMetrics>& kernels, std::vector<GemmMetrics>& gemms) {
  const double shortest = shortest_ns(kernels);
  for (KernelMetrics& kernel : kernels)
    if (kernel.span_class == SpanClass::kCompute || kernel.span_class == SpanClass::kCopy)
      kernel.roofline = roofline_of(kernel.least, kernel.count, kernel.total, shortest);
  for (GemmMetrics& gemm : gemms) gemm.roofline = roofline_of(gemm.least, gemm.count, gemm.total, shortest);
}

}  // namespace tauprof
