// The phases of PyTorch's training loops, from what their threads launch: kernels as they are called there.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "torch_loop.h"

namespace tauprof {
namespace {

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

TEST(TorchHostTime, GivesTheUpdateWhatRanForItBehindACopyThatSlept) {
  Loop loop;
  loop.cpu_clock(7000).copy_to_device(300'000).forward().backward().pause(1'000'000);
  loop.cpu_clock(7000 + 70 + 1'000'005).kernels({kListUpdate});
  EXPECT_EQ(loop.host_time(Phase::kBackward), 5 + 5 + 10);
}

}  // namespace
}  // namespace tauprof
