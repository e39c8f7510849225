#include "metrics/efficiency/product_rates.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "metrics/efficiency/device_peaks.h"
#include "metrics/efficiency/gemm_alignment.h"
#include "metrics/efficiency/moved_bytes.h"

namespace tauprof {

void ProductRates::add(const GemmShape& shape, Precision precision, double count, Nanoseconds total) {
  if (shape.flops <= 0 || total <= 0 || is_misaligned(shape, precision)) return;
  ProductRate& rate = rates_[{precision, shape.form}][shape.flops];
  rate.flops += shape.flops * count;
  rate.total_ns += static_cast<double>(total);
}

ProductRate ProductRates::nearest(const GemmShape& shape, Precision precision, const ProductRate& own) const {
  const auto alike = rates_.find({precision, shape.form});
  if (alike == rates_.end() || shape.flops <= 0) return {};
  ProductRate best;
  double least = 0;
  for (const auto& [flops, rate] : alike->second) {
    const bool has_own = flops == shape.flops && !is_misaligned(shape, precision);
    const ProductRate others{rate.flops - (has_own ? own.flops : 0), rate.total_ns - (has_own ? own.total_ns : 0)};
    const double distance = std::abs(std::log(flops / shape.flops));
    // Half of one product: what is left over of sums is none.
    if (others.flops < flops / 2 || others.total_ns <= 0 || (best.flops > 0 && distance >= least)) continue;
    best = others;
    least = distance;
  }
  return best;
}

double in_tf32_ns(double measured_ns, const GemmShape& shape, std::string_view device_name, double shortest_ns) {
  const std::optional<PerPrecision<double>> peaks = device_peaks(device_name);
  const double tf32 = peaks ? (*peaks)[static_cast<size_t>(Precision::kTf32)] : 0;
  if (tf32 <= 0) return 0;
  const double computing_ns = measured_ns * (*peaks)[static_cast<size_t>(Precision::kFp32)] / tf32;
  const double moving_ns = 1e9 * moved_bytes(shape).least / *memory_bandwidth(device_name);
  return std::min(measured_ns, std::max({computing_ns, moving_ns, shortest_ns}));
}

}  // namespace tauprof
