#include "metrics/efficiency/repeated_products.h"

#include <algorithm>
#include <compare>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using log::ProductForm;

// The key by which products of a backward pass are matched with the gradients expected of the forward pass. A product
// and its transpose (Cᵀ = Bᵀ·Aᵀ) have the same key.
struct Likeness {
  ProductForm form;
  int64_t m, n, k, batch;
  uint8_t transpose;

  auto operator<=>(const Likeness&) const = default;
};

constexpr uint8_t kA = 1, kB = 2;  // bits of a transposition

Likeness of_matrices(int64_t m, int64_t n, int64_t k, int64_t batch, bool is_a_transposed, bool is_b_transposed) {
  const Likeness one{ProductForm::kMatrices,
                     m,
                     n,
                     k,
                     batch,
                     static_cast<uint8_t>((is_a_transposed ? kA : 0) | (is_b_transposed ? kB : 0))};
  const Likeness other{ProductForm::kMatrices,
                       n,
                       m,
                       k,
                       batch,
                       static_cast<uint8_t>((is_b_transposed ? 0 : kA) | (is_a_transposed ? 0 : kB))};
  return std::min(one, other);
}

// Operators do not say what is transposed.
bool says_transposition(const GemmShape& shape) { return shape.type_compute != log::DataType::kUnknown; }

Likeness likeness_of(const GemmShape& shape) {
  if (shape.form != ProductForm::kMatrices) return {shape.form, shape.m, shape.n, shape.k, shape.batch, 0};
  if (!says_transposition(shape))
    return {shape.form, std::min(shape.m, shape.n), std::max(shape.m, shape.n), shape.k, shape.batch, 0};
  return of_matrices(shape.m, shape.n, shape.k, shape.batch, (shape.transpose & kA) != 0, (shape.transpose & kB) != 0);
}

// Without the transposition, since a library may want matrices to lie in one way only, as cublasLt those of FP8.
Likeness size_of(const Likeness& one) {
  if (one.form != ProductForm::kMatrices) return one;
  return {one.form, std::min(one.m, one.n), std::max(one.m, one.n), one.k, one.batch, 0};
}

std::vector<Likeness> gradients_of(const GemmShape& shape) {
  if (shape.form == ProductForm::kMatrices) {
    GemmShape a = shape, b = shape;  // dA (m×k) = dC·Bᵀ, dB (k×n) = Aᵀ·dC
    a.n = shape.k, a.k = shape.n, a.transpose = (shape.transpose & kB) != 0 ? 0 : kB;
    b.m = shape.k, b.k = shape.m, b.transpose = (shape.transpose & kA) != 0 ? 0 : kA;
    return {likeness_of(a), likeness_of(b)};
  }
  std::vector<Likeness> others;
  for (const ProductForm form :
       {ProductForm::kConvolution, ProductForm::kConvolutionData, ProductForm::kConvolutionFilter})
    if (form != shape.form) others.push_back({form, shape.m, shape.n, shape.k, shape.batch, 0});
  return others.size() == 2 ? others : std::vector<Likeness>{};
}

}  // namespace

RepeatedProducts::RepeatedProducts(const ProcessTrace& trace) : trace_(trace) {
  std::vector<bool> is_seen;
  for (const GemmWork& gemm : trace.gemms) {
    if (gemm.product >= is_seen.size()) is_seen.resize(gemm.product + size_t{1});
    if (!is_seen[gemm.product]) add({gemm.call, gemm.kind, gemm.product, 1});
    is_seen[gemm.product] = true;
  }
  is_repeat_.resize(is_seen.size());
  for (const GraphLaunch& launch : trace.graph_launches)
    for (const GraphContents::Products& products : trace.graphs[launch.graph].products)
      add({launch.call, products.kind, kNoProduct, products.count});
  see_whether_known();
  if (unknown_because_.empty())
    for (const auto& [step, passes] : steps_) find_in(passes);
  if (std::min(repeated_flops_, unexplained_flops_) > kUnexplained * flops_)
    unknown_because_ =
        "backward passes compute more than gradients of the forward pass and what recomputation repeats, so what is "
        "repeated is not known";
}

void RepeatedProducts::add(const Ran& ran) {
  const HostCall& call = trace_.calls[ran.call];
  if (call.step == kNoStep) return;
  flops_ += flops_of(ran, ran.count);
  Passes& passes = steps_[{call.step, call.device}];
  if (call.phase == Phase::kForward)
    passes.forward[ran.kind] += ran.count;
  else if (call.phase == Phase::kBackward)
    passes.backward.push_back(ran);
  else
    has_graph_of_passes_ |= ran.product == kNoProduct;
}

void RepeatedProducts::see_whether_known() {
  const bool has_backward =
      std::any_of(steps_.begin(), steps_.end(), [](const auto& step) { return !step.second.backward.empty(); });
  // The framework says when it runs a backward pass, so without one there is none.
  const bool only_infers = !trace_.marks.empty() && !has_backward;
  if (has_graph_of_passes_)
    unknown_because_ = "CUDA graphs hold whole passes, so what recomputation repeats is not known";
  else if (!steps_.empty() && !has_backward && !only_infers)
    unknown_because_ = "which calls are the backward pass, and so what recomputation repeats, is not known";
}

// The functions that compute nothing in the backward pass but what the forward pass did, and no more often. Gradients
// are computed by others: aten::addmm is a layer with a bias, whose gradients are products without one.
std::set<uint32_t> RepeatedProducts::functions_of_forward(const Passes& passes) const {
  std::map<uint32_t, uint64_t> ran;
  for (const Ran& one : passes.backward) ran[one.kind] += one.count;
  std::set<uint32_t> of_forward, others;
  for (const auto& [kind, count] : ran) {
    const auto forward = passes.forward.find(kind);
    const bool is_like_forward = forward != passes.forward.end() && count <= forward->second;
    (is_like_forward ? of_forward : others).insert(trace_.gemm_kinds[kind].function);
  }
  for (const uint32_t function : others) of_forward.erase(function);
  return of_forward;
}

double RepeatedProducts::flops_of(const Ran& ran, uint64_t count) const {
  return trace_.gemm_kinds[ran.kind].shape.flops * static_cast<double>(count);
}

void RepeatedProducts::note_repeat(const Ran& ran, uint64_t count) {
  repeated_flops_ += flops_of(ran, count);
  if (ran.product != kNoProduct)
    is_repeat_[ran.product] = true;
  else
    in_graphs_[{ran.call, ran.kind}] = count;
}

void RepeatedProducts::find_in(const Passes& passes) {
  std::map<Likeness, uint64_t> gradients;
  for (const auto& [kind, count] : passes.forward)
    for (const Likeness& gradient : gradients_of(trace_.gemm_kinds[kind].shape)) gradients[gradient] += count;
  const std::set<uint32_t> of_forward = functions_of_forward(passes);
  const auto may_be_gradient = [&](const Ran& one) {
    return !of_forward.contains(trace_.gemm_kinds[one.kind].function);
  };
  std::map<Likeness, uint64_t> ran;
  for (const Ran& one : passes.backward)
    if (may_be_gradient(one)) ran[likeness_of(trace_.gemm_kinds[one.kind].shape)] += one.count;
  // Leaves in `ran` the products that are not gradients.
  for (auto& [likeness, count] : ran) {
    const auto expected = gradients.find(likeness);
    if (expected != gradients.end()) count -= std::min(count, expected->second);
  }
  std::vector<Ran> others;
  for (const Ran& one : passes.backward) {
    if (!may_be_gradient(one)) {
      note_repeat(one, one.count);
      continue;
    }
    uint64_t& left = ran[likeness_of(trace_.gemm_kinds[one.kind].shape)];
    const uint64_t repeats = passes.forward.contains(one.kind) ? std::min(left, one.count) : 0;
    left -= repeats;
    if (repeats > 0) note_repeat(one, repeats);
    if (repeats < one.count) others.push_back({one.call, one.kind, one.product, one.count - repeats});
  }
  find_unexplained(passes, others);
}

// `others`: products of the backward pass that repeat nothing.
void RepeatedProducts::find_unexplained(const Passes& passes, const std::vector<Ran>& others) {
  std::map<Likeness, uint64_t> gradients;
  for (const auto& [kind, count] : passes.forward)
    for (const Likeness& gradient : gradients_of(trace_.gemm_kinds[kind].shape)) gradients[size_of(gradient)] += count;
  for (const Ran& one : others) {
    const GemmShape& shape = trace_.gemm_kinds[one.kind].shape;
    if (shape.form == ProductForm::kAttentionBackward) continue;
    uint64_t& expected = gradients[size_of(likeness_of(shape))];
    const uint64_t explained = std::min(expected, one.count);
    expected -= explained;
    unexplained_flops_ += flops_of(one, one.count - explained);
  }
}

}  // namespace tauprof
