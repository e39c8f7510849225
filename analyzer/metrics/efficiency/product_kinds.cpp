#include "metrics/efficiency/product_kinds.h"

#include <limits>

#include "classify/matrix_kernels.h"
#include "metrics/efficiency/gemm_precision.h"
#include "metrics/efficiency/gemm_totals.h"

namespace tauprof {

uint16_t ProductKinds::number_of(const DeviceSpan& span) {
  const GemmWork* const gemm = counted_gemm(trace_, span);
  if (gemm == nullptr) return 0;
  const GemmShape& shape = trace_.gemm_kinds[gemm->kind].shape;
  const bool in_tf32 = may_be_tf32(shape) && is_tf32(span.name);
  std::optional<uint16_t>& number = number_of_kind_[gemm->kind][in_tf32];
  if (!number) number = number_of(ProductKind{shape, precision_of(shape, in_tf32)});
  return *number;
}

uint16_t ProductKinds::number_of(const ProductKind& kind) {
  if (const auto known = numbers_.find(kind); known != numbers_.end()) return known->second;
  if (kinds_.size() == std::numeric_limits<uint16_t>::max()) return 0;
  kinds_.push_back(kind);
  return numbers_[kind] = static_cast<uint16_t>(kinds_.size());
}

bool ProductKinds::is_tf32(NameId name) {
  const auto [known, is_new] = is_tf32_.try_emplace(name, false);
  if (is_new) known->second = computes_in_tf32(trace_.names[name]);
  return known->second;
}

}  // namespace tauprof
