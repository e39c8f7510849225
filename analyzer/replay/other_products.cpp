#include "replay/other_products.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "metrics/efficiency/device_peaks.h"
#include "metrics/efficiency/gemm_alignment.h"

namespace tauprof {
namespace {

// The least bytes that a product of float32 reads and writes.
double bytes_of(const GemmShape& shape) {
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  return 4 * static_cast<double>(shape.batch) * (m * k + k * n + m * n);
}

struct Rate {
  double flops = 0;
  Nanoseconds total = 0;
};

// By precision, then operations of one product.
using Rates = std::map<Precision, std::map<double, Rate>>;

const Rate* nearest(const std::map<double, Rate>& rates, double flops) {
  const Rate* best = nullptr;
  double least = 0;
  for (const auto& [known_flops, rate] : rates) {
    const double distance = std::abs(std::log(known_flops / flops));
    if (best != nullptr && distance >= least) continue;
    best = &rate;
    least = distance;
  }
  return best;
}

}  // namespace

template <class Take>
void OtherProducts::for_products(const std::vector<int32_t>& ranks, Take&& take) const {
  for (size_t rank = 0; rank < run_.rank_count(); ++rank) {
    if (!ranks.empty() && std::find(ranks.begin(), ranks.end(), run_.rank_number(rank)) == ranks.end()) continue;
    run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      const ProductKind* const product = run_.product_of(rank, operation);
      if (product != nullptr && run_.step_of(rank, operation) != kNoStep && run_.graph().duration(id) > 0)
        take(rank, id, *product);
    });
  }
}

std::string OtherProducts::in_tf32(const std::vector<int32_t>& ranks, Changes& changes) const {
  std::string unknown;
  Nanoseconds shortest = INT64_MAX;
  for_products(ranks, [&](size_t, OperationId id, const ProductKind&) {
    shortest = std::min(shortest, run_.graph().duration(id));
  });
  for_products(ranks, [&](size_t rank, OperationId id, const ProductKind& product) {
    if (product.precision != Precision::kFp32) return;
    const std::optional<PerPrecision<double>> peaks = device_peaks(run_.device_name(rank));
    const double tf32 = peaks ? (*peaks)[static_cast<size_t>(Precision::kTf32)] : 0;
    if (tf32 <= 0) {
      unknown = "the peak of " + run_.device_name(rank) + " in TF32 is not known";
      return;
    }
    const auto measured = static_cast<double>(run_.graph().duration(id));
    const double computing = measured * (*peaks)[static_cast<size_t>(Precision::kFp32)] / tf32;
    const double moving = 1e9 * bytes_of(product.shape) / *memory_bandwidth(run_.device_name(rank));
    const double becomes = std::max({computing, moving, static_cast<double>(shortest)});
    if (becomes < measured) changes.scale(id, becomes / measured);
  });
  return unknown;
}

std::string OtherProducts::aligned(const std::vector<int32_t>& ranks, Changes& changes) const {
  Rates rates;
  for_products({}, [&](size_t, OperationId id, const ProductKind& product) {
    if (aligned_elements(product.precision) == 0 || is_misaligned(product.shape, product.precision)) return;
    if (product.shape.flops <= 0) return;
    Rate& rate = rates[product.precision][product.shape.flops];
    rate.flops += product.shape.flops;
    rate.total += run_.graph().duration(id);
  });
  bool is_known = false;
  for_products(ranks, [&](size_t, OperationId id, const ProductKind& product) {
    if (!is_misaligned(product.shape, product.precision) || product.shape.flops <= 0) return;
    const Rate* const rate = nearest(rates[product.precision], product.shape.flops);
    if (rate == nullptr) return;
    is_known = true;
    const auto measured = static_cast<double>(run_.graph().duration(id));
    const double becomes = product.shape.flops * static_cast<double>(rate->total) / rate->flops;
    if (becomes < measured) changes.scale(id, becomes / measured);
  });
  return is_known ? "" : "no product of this precision has sizes that suit tensor cores, so none shows what they reach";
}

}  // namespace tauprof
