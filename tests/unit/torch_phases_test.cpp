// Phases of PyTorch training loops from what their threads launch; kernels have PyTorch's names.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "torch_loop.h"

namespace tauprof {
namespace {

using Names = std::vector<std::string_view>;

TEST(TorchPhases, StartBackwardWithTheGradientOfTheLoss) {
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

TEST(TorchPhases, RecogniseClippingTensorByTensorByItsNorms) {
  Loop loop;
  loop.forward().backward().kernels({"reduce_kernel<NormTwoOps>", "cat", "launch_clamp_scalar"});
  loop.kernels({"elementwise_kernel<BinaryFunctor<float, MulFunctor<float>>>", "AUnaryFunctor<MulFunctor>", "FusedSgd"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "unscale_clip", "optim_step"}));
}

TEST(TorchPhases, DoNotTakeNormsAfterAnUpdateForClipping) {
  Loop loop;
  loop.forward().backward().kernels({"addcmul", "FusedAdam", "reduce_kernel<NormTwoOps>"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step"}));
}

TEST(TorchPhases, TellNoUpdateWithoutAKernelOfAnOptimizer) {
  Loop loop;
  loop.forward().backward().kernels({"reduce_kernel<Metric>", "elementwise_add"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "other"}));
}

TEST(TorchPhases, RecogniseClearedGradientsAnywhereInTheStep) {
  Loop loop;
  loop.kernels({kListZero}).forward().backward().kernels({kListUpdate, kListZero});
  EXPECT_EQ(loop.phases(), (Names{"zero_grad_sched", "forward", "optim_step", "zero_grad_sched"}));
}

TEST(TorchPhases, RecogniseALossReadBeforeOrAfterBackward) {
  EXPECT_EQ(Loop().forward().copy_back().kernels({"scale", kFill}).backward().phases(),
            (Names{"forward", "sync_gather", "forward", "backward"}));
  EXPECT_EQ(Loop().forward().backward().copy_back().kernels({"new_optimizer"}).phases(),
            (Names{"forward", "sync_gather", "optim_step"}));
}

TEST(TorchPhases, LeaveReadbacksInsideForwardToIt) {
  EXPECT_EQ(Loop().forward().copy_back().forward().backward().phases(), (Names{"forward"}));
}

TEST(TorchPhases, GiveTheLossScalersReadbackToTheUpdate) {
  Loop loop;
  loop.forward().backward().kernels({kUnscale}).copy_back().kernels({"update", "amp_update_scale_cuda_kernel"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "unscale_clip", "optim_step"}));
}

TEST(TorchPhases, FindTheUpdatesOfTwoOptimizersInAStep) {
  Loop loop;
  loop.forward().backward().kernels({kListUpdate}).forward().backward().kernels({kListUpdate});
  EXPECT_EQ(loop.phases(), (Names{"forward", "optim_step", "forward", "optim_step"}));
}

TEST(TorchHostTime, WaitsForABatchFetchedAfterTheLoss) {
  Loop loop;
  loop.forward().pause(1000).copy_to_device().kernels({"scale", kFill}).backward();
  EXPECT_EQ(loop.host_time(Phase::kDataloadWait), 1005);
}

TEST(TorchHostTime, HasNoDataWaitBetweenTheCopiesOfABatch) {
  Loop loop;
  loop.copy_to_device().pause(1000).copy_to_device().forward().backward();
  EXPECT_EQ(loop.host_time(Phase::kDataloadWait), 0);
}

TEST(TorchHostTime, GivesBackwardTheTimeUntilTheMainThreadWakes) {
  Loop loop;
  // The main thread runs from 0 to the end of its last launch at 55, and for 100 ns before the update.
  loop.cpu_clock(7000).forward().backward().pause(1'000'000).cpu_clock(7000 + 55 + 100).kernels({kListUpdate});
  EXPECT_EQ(loop.host_time(Phase::kOptimStep), 100 + 5) << "the time it ran, and the launch";
  EXPECT_EQ(loop.host_time(Phase::kBackward), 5 + 5 + 10 + (1'000'005 - 100));
}

TEST(TorchHostTime, GivesTheUpdateTheTimeTheMainThreadRan) {
  Loop loop;
  loop.cpu_clock(7000).forward().backward().pause(1'000'000).cpu_clock(7000 + 55 + 1'000'005).kernels({kListUpdate});
  EXPECT_EQ(loop.host_time(Phase::kBackward), 5 + 5 + 10);
}

TEST(TorchHostTime, GivesTheUpdateTheTimeTheMainThreadRanDespiteASleepingCopy) {
  Loop loop;
  loop.cpu_clock(7000).copy_to_device(300'000).forward().backward().pause(1'000'000);
  loop.cpu_clock(7000 + 70 + 1'000'005).kernels({kListUpdate});
  EXPECT_EQ(loop.host_time(Phase::kBackward), 5 + 5 + 10);
}

}  // namespace
}  // namespace tauprof
