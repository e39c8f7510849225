// The phases of PyTorch's training loops, from what their threads launch: kernels as they are called there.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "phases/assign_phases.h"
#include "phases/host_time.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

constexpr const char* kListNorm = "multi_tensor_apply_kernel<TensorListMetadata<1>, LpNormFunctor<float>>";
constexpr const char* kListScale =
    "multi_tensor_apply_kernel<TensorListMetadata<1>, BinaryOpScalarTensorFunctor<float>>";
constexpr const char* kListUpdate = "multi_tensor_apply_kernel<TensorListMetadata<3>, PointwiseOpScalarFunctor<float>>";
constexpr const char* kListZero = "multi_tensor_apply_kernel<TensorListMetadata<1>, ZeroFunctor<float>>";
constexpr const char* kFill = "vectorized_elementwise_kernel<4, FillFunctor<float>>";
constexpr const char* kUnscale = "multi_tensor_apply_kernel<amp_foreach_non_finite_check_and_unscale>";

// One step, call after call: each takes 5 ns, 10 ns after the one before.
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
  Loop& copy_to_device() {
    call("cudaMemcpyAsync").is_input_copy = true;
    return call_named("cudaStreamSynchronize");
  }
  Loop& copy_back() {
    call("cudaMemcpyAsync");
    copies_back_.push_back(process_.span(now_, now_ + 1));
    return call_named("cudaStreamSynchronize");
  }
  Loop& call_named(std::string_view function) {
    call(function);
    return *this;
  }
  // The host does something else; its clock then says so much.
  Loop& pause(Nanoseconds length) {
    now_ += length;
    return *this;
  }
  Loop& cpu_clock(Nanoseconds reading) {
    next_clock_ = reading;
    return *this;
  }

  // The main thread's phases, those of equal ones in a row once.
  std::vector<std::string_view> phases() {
    const ProcessTrace& trace = assigned();
    std::vector<std::string_view> names;
    for (const HostCall& call : trace.calls) {
      if (!trace.threads[call.thread].is_main) continue;
      if (names.empty() || names.back() != phase_name(call.phase)) names.push_back(phase_name(call.phase));
    }
    return names;
  }
  Nanoseconds host_time(Phase phase) { return host_time_by_phase(assigned()).front()[static_cast<size_t>(phase)]; }

 private:
  HostCall& call(std::string_view function) {
    HostCall& made = process_.call(function, now_, now_ + 5);
    made.step = 0;
    made.thread_cpu_ns = std::exchange(next_clock_, 0);
    now_ += 10;
    return made;
  }
  ProcessTrace& assigned() {
    ProcessTrace& trace = process_.build();
    trace.steps = {{0, 0, now_}};
    for (const auto& [index, name] : names_) trace.devices[0].spans[index].name = trace.names.add(name);
    for (const uint32_t index : copies_back_) {
      trace.devices[0].spans[index].activity = log::ActivityKind::kMemcpy;
      trace.devices[0].spans[index].copy_kind = log::CopyKind::kDeviceToHost;
    }
    assign_phases(trace);
    return trace;
  }

  TraceBuilder process_;
  std::vector<std::pair<uint32_t, std::string>> names_;
  std::vector<uint32_t> copies_back_;
  Nanoseconds now_ = 0;
  Nanoseconds next_clock_ = 0;
};

using Names = std::vector<std::string_view>;

TEST(TorchPhases, BeginBackwardWithTheLosssOwnGradient) {
  EXPECT_EQ(Loop().forward().kernels({kFill}).backward().phases(), (Names{"forward", "backward"}));
}

TEST(TorchPhases, CountWaitingForACopyAsCopying) {
  EXPECT_EQ(Loop().copy_to_device().forward().backward().phases(), (Names{"h2d", "forward"}));
}

TEST(TorchPhases, GiveClippingAllBetweenItsKernelsAndUpdatesTheRest) {
  Loop loop;
  loop.forward().backward().kernels({"reciprocal", kListNorm, "cat", "clamp", kListScale, kListUpdate, "add"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "unscale_clip", "optim_step"}));
}

TEST(TorchPhases, TellClippingOfOneTensorAfterTheOtherByItsNorms) {
  Loop loop;
  loop.forward().backward().kernels({"reduce_kernel<NormTwoOps>", "cat", "launch_clamp_scalar"});
  loop.kernels({"elementwise_kernel<BinaryFunctor<float, MulFunctor<float>>>", "AUnaryFunctor<MulFunctor>"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "unscale_clip", "optim_step"}));
}

TEST(TorchPhases, TakeNormsBehindAnUpdateForNoClipping) {
  Loop loop;
  loop.forward().backward().kernels({"addcmul", "addcdiv", "reduce_kernel<NormTwoOps>"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step"}));
}

TEST(TorchPhases, KnowClearedGradientsWhereverTheyAreCleared) {
  Loop loop;
  loop.kernels({kListZero}).forward().backward().kernels({kListUpdate, kListZero});
  EXPECT_EQ(loop.phases(), (Names{"zero_grad_sched", "forward", "optim_step", "zero_grad_sched"}));
}

TEST(TorchPhases, ReadTheLossBackOnEitherSideOfBackward) {
  EXPECT_EQ(Loop().forward().copy_back().kernels({"scale", kFill}).backward().phases(),
            (Names{"forward", "sync_gather", "forward", "backward"}));
  EXPECT_EQ(Loop().forward().backward().copy_back().kernels({"new_optimizer"}).phases(),
            (Names{"forward", "sync_gather", "optim_step"}));
}

TEST(TorchPhases, LeaveToForwardWhatItReadsBackItself) {
  EXPECT_EQ(Loop().forward().copy_back().forward().backward().phases(), (Names{"forward"}));
}

TEST(TorchPhases, GiveTheLossScalersQuestionToTheUpdate) {
  Loop loop;
  loop.forward().backward().kernels({kUnscale}).copy_back().kernels({"update", "amp_update_scale_cuda_kernel"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "unscale_clip", "optim_step"}));
}

TEST(TorchPhases, TellTheUpdatesOfTwoOptimizersInAStep) {
  Loop loop;
  loop.forward().backward().kernels({kListUpdate}).forward().backward().kernels({kListUpdate});
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step", "forward", "optim_step"}));
}

TEST(TorchPhases, CallACheckpointOtherAndAMetricAResult) {
  Loop few, many;
  few.forward().backward().kernels({kListUpdate});
  many.forward().backward().kernels({kListUpdate});
  for (int i = 0; i < 3; ++i) few.copy_back();
  for (int i = 0; i < 40; ++i) many.copy_back();
  EXPECT_EQ(few.phases(), (Names{"forward", "optim_step", "sync_gather"}));
  EXPECT_EQ(many.phases(), (Names{"forward", "optim_step", "other"}));
}

TEST(TorchHostTime, WaitsForTheBatchThatIsFetchedBehindTheLoss) {
  Loop loop;
  loop.forward().pause(1000).copy_to_device().kernels({"scale", kFill}).backward();
  EXPECT_EQ(loop.host_time(Phase::kDataloadWait), 1005);
}

TEST(TorchHostTime, WaitsForNoDataBetweenTheCopiesOfABatch) {
  Loop loop;
  loop.copy_to_device().pause(1000).copy_to_device().forward().backward();
  EXPECT_EQ(loop.host_time(Phase::kDataloadWait), 0);
}

TEST(TorchHostTime, GivesBackwardTheTimeInWhichTheMainThreadIsNotWoken) {
  Loop loop;
  // The main thread runs from 0 to its last launch's end at 55, and 100 ns before the update.
  loop.cpu_clock(7000).forward().backward().pause(1'000'000).cpu_clock(7000 + 55 + 100).kernels({kListUpdate});
  EXPECT_EQ(loop.host_time(Phase::kOptimStep), 100 + 5) << "what it ran, and the launch";
  EXPECT_EQ(loop.host_time(Phase::kBackward), 5 + 5 + 10 + (1'000'005 - 100));
}

TEST(TorchHostTime, GivesTheUpdateWhatTheMainThreadRanForIt) {
  Loop loop;
  loop.cpu_clock(7000).forward().backward().pause(1'000'000).cpu_clock(7000 + 55 + 1'000'005).kernels({kListUpdate});
  EXPECT_EQ(loop.host_time(Phase::kBackward), 5 + 5 + 10);
}

}  // namespace
}  // namespace tauprof
