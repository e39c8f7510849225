#include "metrics/efficiency/work_of_spans.h"

#include <algorithm>

#include "classify/matrix_kernels.h"
#include "metrics/efficiency/gemm_precision.h"
#include "metrics/efficiency/gemm_totals.h"
#include "metrics/efficiency/moved_bytes.h"

namespace tauprof {

WorkOfSpans::WorkOfSpans(const ProcessTrace& trace, const DeviceTrace& device)
    : trace_(trace), elementwise_(trace.names.size()) {
  for (NameId name = 0; name < trace.names.size() && !tells_elements_of_a_thread_; ++name)
    tells_elements_of_a_thread_ = tells_elements_of_a_thread(trace.names[name]);
  if (trace.gemms.empty()) return;
  MatrixKernels matrix_kernels(trace.names);
  const auto multiplies = [&](const DeviceSpan& span) { return matrix_kernels.of(span.name) != MatrixKernel::kNone; };
  std::vector<uint32_t> count;  // of kernels, by product
  for (const DeviceSpan& span : device.spans) {
    const GemmWork* const gemm = counted_gemm(trace, span);
    if (gemm == nullptr) continue;
    if (gemm->product >= kernels_.size()) kernels_.resize(gemm->product + size_t{1});
    count.resize(kernels_.size());
    ++count[gemm->product];
    const DeviceSpan*& kernel = kernels_[gemm->product];
    if (kernel == nullptr || (!multiplies(*kernel) && multiplies(span))) kernel = &span;
  }
  for (size_t product = 0; product < kernels_.size(); ++product)
    if (count[product] > 1 && !multiplies(*kernels_[product])) kernels_[product] = nullptr;
}

bool WorkOfSpans::is_tf32(NameId name) {
  const auto [known, is_new] = is_tf32_.try_emplace(name, false);
  if (is_new) known->second = computes_in_tf32(trace_.names[name]);
  return known->second;
}

MovedBytes WorkOfSpans::elementwise(const DeviceSpan& span) {
  if (span.launch_shape == 0) return {};
  std::optional<std::optional<ElementwiseKernel>>& known = elementwise_[span.name];
  if (!known) known = elementwise_kernel_of(trace_.names[span.name], tells_elements_of_a_thread_);
  if (!*known) return {};
  const LaunchShape& shape = trace_.launch_shapes[span.launch_shape];
  const auto [of_thread, bytes] = **known;
  const double threads = shape.threads(), of_block = threads / static_cast<double>(shape.grid[0]);
  // The last block may have a single element.
  const double least = std::max(1.0, (threads - of_block) * of_thread.least + 1), most = threads * of_thread.most;
  return {least * bytes.least, most * bytes.most};
}

KnownWork WorkOfSpans::of(const DeviceSpan& span) {
  if (span.activity != log::ActivityKind::kKernel) return work_of_copy(span);
  const GemmWork* const gemm = counted_gemm(trace_, span);
  if (gemm == nullptr) {
    KnownWork work;
    work.bytes = elementwise(span);
    work.with_bytes = work.on_device = work.bytes.is_known();
    return work;
  }
  if (kernels_[gemm->product] != &span) return {};
  const GemmShape& shape = trace_.gemm_kinds[gemm->kind].shape;
  const bool in_tf32 = may_be_tf32(shape) && is_tf32(span.name);
  const auto [known, is_new] = by_kind_.try_emplace({gemm->kind, in_tf32});
  KnownWork& work = known->second;
  if (is_new) {
    work.flops = shape.flops;
    work.precision = precision_of(shape, in_tf32);
    work.bytes = moved_bytes(shape);
    work.with_bytes = work.on_device = work.bytes.is_known();
  }
  return work;
}

}  // namespace tauprof
