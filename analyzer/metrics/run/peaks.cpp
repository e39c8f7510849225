#include "metrics/run/peaks.h"

#include <algorithm>
#include <limits>

#include "metrics/efficiency/device_peaks.h"

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

// Of the slowest device of the job; nullopt: that of some device is not known.
std::optional<double> slowest_link(const std::vector<RankTimeline>& ranks) {
  std::optional<double> slowest;
  for (const RankTimeline& rank : ranks) {
    const std::optional<double> link = device_link_gb_per_s(rank.device_name);
    if (!link) return std::nullopt;
    slowest = std::min(slowest.value_or(*link), *link);
  }
  return slowest;
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

void set_link_peaks(const std::vector<RankTimeline>& ranks, const std::optional<double>& given_gb_per_s,
                    std::vector<CollectiveMetrics>& collectives) {
  const std::optional<double> in_host = slowest_link(ranks);
  for (CollectiveMetrics& collective : collectives) {
    if (given_gb_per_s)
      collective.link_peak_gb_per_s = given_gb_per_s;
    else if (collective.hosts == 1)
      collective.link_peak_gb_per_s = in_host;
  }
}

}  // namespace tauprof
