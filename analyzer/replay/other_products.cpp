#include "replay/other_products.h"

#include <algorithm>

#include "metrics/efficiency/gemm_alignment.h"
#include "metrics/efficiency/product_rates.h"

namespace tauprof {

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
    const auto measured = static_cast<double>(run_.graph().duration(id));
    const double becomes = in_tf32_ns(measured, product.shape, run_.device_name(rank), static_cast<double>(shortest));
    if (becomes <= 0) {
      unknown = "the peak of " + run_.device_name(rank) + " in TF32 is not known";
      return;
    }
    if (becomes < measured) changes.scale(id, becomes / measured);
  });
  return unknown;
}

std::string OtherProducts::aligned(const std::vector<int32_t>& ranks, Changes& changes) const {
  ProductRates rates;
  for_products({}, [&](size_t, OperationId id, const ProductKind& product) {
    if (aligned_elements(product.precision) > 0)
      rates.add(product.shape, product.precision, 1, run_.graph().duration(id));
  });
  bool is_known = false;
  for_products(ranks, [&](size_t, OperationId id, const ProductKind& product) {
    if (!is_misaligned(product.shape, product.precision)) return;
    const ProductRate rate = rates.nearest(product.shape, product.precision);
    if (rate.flops <= 0) return;
    is_known = true;
    const auto measured = static_cast<double>(run_.graph().duration(id));
    const double becomes = product.shape.flops * rate.total_ns / rate.flops;
    if (becomes < measured) changes.scale(id, becomes / measured);
  });
  return is_known ? "" : "no product of this precision has sizes that suit tensor cores, so none shows what they reach";
}

}  // namespace tauprof
