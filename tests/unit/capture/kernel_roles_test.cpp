// The recorder and the analyzer know updates by the same kernels, one by their mangled names, the other by what they
// mean.
#include "capture/steps/kernel_roles.h"

#include <gtest/gtest.h>
#include <string.h>

#include "capture/steps/step_follower.h"
#include "capture/steps/step_window.h"

namespace tauprof::capture {
namespace {

TEST(KernelRoles, AreToldFromMangledNames) {
  EXPECT_EQ(kernel_role("_ZN2at6native12_GLOBAL__N_125multi_tensor_apply_kernelINS1_32FusedOptimizerTensorListMetadata"
                        "ILi4EEENS1_20FusedAdamMathFunctorIfLi4EEEJEEEvT_T0_DpT1_"),
            KernelRole::kUpdate);
  EXPECT_EQ(kernel_role("_ZN2at6native13lpnorm_cleanupIfEEvv"), KernelRole::kNearUpdate);
  EXPECT_EQ(kernel_role("_Z25multi_tensor_adamw_kernelPf"), KernelRole::kUpdate);
  EXPECT_EQ(kernel_role("_Z25multi_tensor_apply_kernelI13LerpFunctorIfEEvT_"), KernelRole::kNearUpdate);
  EXPECT_EQ(kernel_role("_Z25multi_tensor_apply_kernelI11CopyFunctorIfEEvT_"), KernelRole::kOther)
      << "sharded models pack lists in forward";
  EXPECT_EQ(kernel_role("_Z15softmax_forwardPf"), KernelRole::kOther);
  EXPECT_EQ(kernel_role(nullptr), KernelRole::kOther);
}

TEST(KernelRoles, DoNotComeFromTheNameOfAFile) {
  EXPECT_EQ(kernel_role("_ZN8training45_GLOBAL__N__0ca5d1a7_12_optimizer_cu_8f2e6a1411copy_kernelEPf"),
            KernelRole::kOther);
  EXPECT_EQ(kernel_role("_ZN8training45_GLOBAL__N__0ca5d1a7_12_optimizer_cu_8f2e6a1425multi_tensor_adamw_kernelEPf"),
            KernelRole::kUpdate)
      << "what follows the file's name counts";
}

// Each letter is a launch: U update, l near one, W work, t tail, C input copy, b work of a backward thread. Where steps
// begin.
std::string begins_in(const std::string& launches) {
  StepFollower follower;
  std::string marks;
  for (const char launch : launches) {
    const StepEvent event = launch == 'U'   ? StepEvent::kUpdate
                            : launch == 't' ? StepEvent::kTail
                            : launch == 'l' ? StepEvent::kNearUpdate
                            : launch == 'C' ? StepEvent::kInputCopy
                                            : StepEvent::kWork;
    marks += follower.take(event, launch == 'b') ? '|' : '.';
  }
  return marks;
}

TEST(StepFollower, BeginsAStepBehindTheTailOfAnUpdate) {
  EXPECT_EQ(begins_in("CWWbbtUUttCWWbbtUtUtWW"), "..........|.........|.");
}

TEST(StepFollower, TakesMicroBatchesForPartsOfAStep) {
  EXPECT_EQ(begins_in("CWbCWbCWbUCWbCWbCWbUC"), "..........|.........|");
}

TEST(StepFollower, KnowsAnUpdateByItsPlace) {
  EXPECT_EQ(begins_in("CWbbWWWWWtCWbbWWWWCW"), "..........|.......|.");
  EXPECT_EQ(begins_in("CWbCllWlCWbClC"), "........|....|") << "lists of tensors, behind a copy that clipping needs";
  EXPECT_EQ(begins_in("CWWWWbCWWWWWCWWb"), "................") << "the second copy of a micro-batch";
  EXPECT_EQ(begins_in("CWbCWbWWWWCWbWCWbWWWWC"), "..........|..........|")
      << "with micro-batches, one of which scales its loss";
}

TEST(StepWindow, FollowsTheMarkThatTheUserChose) {
  static Configuration configuration;
  configuration.start_step = 1;
  configuration.steps = 2;
  strcpy(configuration.step_marker, "call:cudaGraphLaunch");
  StepWindow window;
  window.begin(configuration, 0);
  EXPECT_TRUE(window.is_marked_by("cudaGraphLaunch"));
  EXPECT_FALSE(window.is_marked_by("cudaLaunchKernel"));
  window.take(StepEvent::kUpdate, false);
  EXPECT_FALSE(window.take(StepEvent::kInputCopy, false)) << "nothing else begins a step then";
  std::string open;
  for (int mark = 0; mark < 5; ++mark) {
    window.step_begins(0);
    open += window.is_open() ? '1' : '0';
  }
  EXPECT_EQ(open, "01100") << "the first mark is step 0";
}

}  // namespace
}  // namespace tauprof::capture
