// A step of a PyTorch loop, built call by call, and the phases found in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phases/assign_phases.h"
#include "phases/host_time.h"
#include "trace_builder.h"

namespace tauprof {

inline constexpr const char* kListNorm = "multi_tensor_apply_kernel<TensorListMetadata<1>, LpNormFunctor<float>>";
inline constexpr const char* kListScale =
    "multi_tensor_apply_kernel<TensorListMetadata<1>, BinaryOpScalarTensorFunctor<float>>";
inline constexpr const char* kListUpdate =
    "multi_tensor_apply_kernel<TensorListMetadata<3>, PointwiseOpScalarFunctor<float>>";
inline constexpr const char* kListZero = "multi_tensor_apply_kernel<TensorListMetadata<1>, ZeroFunctor<float>>";
inline constexpr const char* kFillKernel = "vectorized_elementwise_kernel<4, FillFunctor<float>>";
inline constexpr const char* kUnscale = "multi_tensor_apply_kernel<amp_foreach_non_finite_check_and_unscale>";

// One step, built call by call: each call takes 5 ns and starts 5 ns after the one before.
class Loop {
 public:
  Loop& kernels(const std::vector<std::string_view>& names) {
    for (const std::string_view name : names) {
      call("cudaLaunchKernel");
      names_.emplace_back(process_.span(now_, now_ + 1), name);
    }
    return *this;
  }
  Loop& forward() { return kernels({"gemm", "norm", "gemm", "norm", "gemm", "loss"}); }
  Loop& backward() {
    process_.switch_thread("pt_autograd_0");
    kernels({"gemm", "norm"});
    process_.switch_thread("main");
    return *this;
  }
  Loop& copy_to_device(Nanoseconds takes = 5) {
    call("cudaMemcpyAsync", takes).is_input_copy = true;
    return call_named("cudaStreamSynchronize");
  }
  Loop& copy_back() {
    call("cudaMemcpyAsync");
    copies_.push_back(process_.span(now_, now_ + 1));
    return call_named("cudaStreamSynchronize");
  }
  Loop& call_named(std::string_view function) {
    call(function);
    return *this;
  }
  // The host does something else for `length`.
  Loop& pause(Nanoseconds length) {
    now_ += length;
    return *this;
  }

  // The main thread's phases; a run of equal phases counts once.
  std::vector<std::string_view> phases() {
    const ProcessTrace& trace = assigned();
    std::vector<std::string_view> names;
    for (const HostCall& call : trace.calls) {
      if (!trace.threads[call.thread].is_main) continue;
      if (names.empty() || names.back() != phase_name(call.phase)) names.push_back(phase_name(call.phase));
    }
    return names;
  }
  Nanoseconds host_time(Phase phase) {
    return host_time_by_phase(assigned()).front().total[static_cast<size_t>(phase)];
  }

 private:
  HostCall& call(std::string_view function, Nanoseconds takes = 5) {
    HostCall& made = process_.call(function, now_, now_ + takes);
    made.step = 0;
    now_ += takes + 5;
    return made;
  }
  ProcessTrace& assigned() {
    ProcessTrace& trace = process_.build();
    trace.steps = {{0, 0, now_}};
    for (const auto& [index, name] : names_) trace.devices[0].spans[index].name = trace.names.add(name);
    for (const uint32_t copy : copies_) {
      DeviceSpan& span = trace.devices[0].spans[copy];
      span.activity = log::ActivityKind::kMemcpy;
      span.copy_kind = log::CopyKind::kDeviceToHost;
    }
    assign_phases(trace);
    return trace;
  }

  TraceBuilder process_;
  std::vector<std::pair<uint32_t, std::string>> names_;
  std::vector<uint32_t> copies_;  // spans
  Nanoseconds now_ = 0;
};

}  // namespace tauprof
