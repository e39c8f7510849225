// Phases of PyTorch training loops from what their threads launch; kernels have PyTorch's names.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "torch_loop.h"

namespace tauprof {
namespace {

using Names = std::vector<std::string_view>;

TEST(TorchPhases, CountWaitingForACopyAsCopying) {
  EXPECT_EQ(Loop().copy_to_device().forward().backward().phases(), (Names{"h2d", "forward"}));
}

TEST(TorchPhases, AreOfWhatIsKnownToClipOrToUpdateAndOfWhatLiesInClipping) {
  Loop loop;
  loop.forward().backward().kernels({"reciprocal", kListNorm, "cat", "clamp", kListScale, kListUpdate, "add"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "other", "unscale_clip", "optim_step", "other"}));
}

TEST(TorchPhases, TakeNoKernelForClippingBehindTheLastThatClips) {
  Loop loop;
  loop.forward().backward().kernels({kListNorm, "stack", "add"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "unscale_clip", "other"})) << "a norm that is only logged";
}

TEST(TorchPhases, DoNotTakeNormsAfterAnUpdateForClipping) {
  Loop loop;
  loop.forward().backward().kernels({"addcmul", "FusedAdam", "reduce_kernel<NormTwoOps>"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "other", "optim_step", "other"}));
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
  EXPECT_EQ(Loop().forward().copy_back().kernels({"scale", kFillKernel}).backward().phases(),
            (Names{"forward", "sync_gather", "forward"}));
  EXPECT_EQ(Loop().forward().backward().copy_back().kernels({"new_optimizer"}).phases(),
            (Names{"forward", "sync_gather", "optim_step"}));
}

TEST(TorchPhases, CountWhatTheLossScalerReadsBackAsReading) {
  Loop loop;
  loop.forward().backward().kernels({kUnscale}).copy_back().kernels({"update", "amp_update_scale_cuda_kernel"});
  EXPECT_EQ(loop.phases(), (Names{"forward", "unscale_clip", "sync_gather", "other", "optim_step"}));
}

TEST(TorchPhases, LeaveOpenWhatListsOfTensorsAreForBetweenTwoPasses) {
  Loop loop;
  loop.forward().backward().kernels({kListUpdate}).forward().backward().kernels({kListUpdate});
  EXPECT_EQ(loop.phases(), (Names{"forward", "other", "forward", "optim_step"}));
}

TEST(TorchHostTime, HasNoDataWaitBetweenTheCopiesOfABatch) {
  Loop loop;
  loop.copy_to_device().pause(1000).copy_to_device().forward().backward();
  EXPECT_EQ(loop.host_time(Phase::kDataloadWait), 0);
}

}  // namespace
}  // namespace tauprof
