// The recorder tells a kernel's role from its mangled name, and agrees with the analyzer, which sees readable names.
#include "capture/steps/kernel_roles.h"

#include <gtest/gtest.h>

namespace tauprof::capture {
namespace {

TEST(KernelRoles, FollowFromMangledNames) {
  EXPECT_EQ(kernel_role("_ZN2at6native12_GLOBAL__N_125multi_tensor_apply_kernelINS1_32FusedOptimizerTensorListMetadata"
                        "ILi4EEENS1_20FusedAdamMathFunctorIfLi4EEEJEEEvT_T0_DpT1_"),
            UpdateRole::kUpdate);
  EXPECT_EQ(kernel_role("_ZN2at6native13lpnorm_cleanupIfEEvv"), UpdateRole::kClipping);
  EXPECT_EQ(kernel_role("_Z25multi_tensor_adamw_kernelPf"), UpdateRole::kUpdate);
  EXPECT_EQ(kernel_role("_Z25multi_tensor_apply_kernelI13LerpFunctorIfEEvT_"), UpdateRole::kList);
  EXPECT_EQ(kernel_role("_Z25multi_tensor_apply_kernelI11CopyFunctorIfEEvT_"), UpdateRole::kNone)
      << "sharded models pack lists in forward";
  EXPECT_EQ(kernel_role("_Z15softmax_forwardPf"), UpdateRole::kNone);
  EXPECT_EQ(kernel_role("_Z25multi_tensor_apply_kernelI11ZeroFunctorIfEEvT_"), UpdateRole::kClearing);
  EXPECT_EQ(kernel_role("_Z28amp_update_scale_cuda_kernelPf"), UpdateRole::kScale);
  EXPECT_EQ(kernel_role(nullptr), UpdateRole::kNone);
}

TEST(KernelRoles, IgnoreTheNameOfTheFile) {
  EXPECT_EQ(kernel_role("_ZN8training45_GLOBAL__N__0ca5d1a7_12_optimizer_cu_8f2e6a1411copy_kernelEPf"),
            UpdateRole::kNone);
  EXPECT_EQ(kernel_role("_ZN8training45_GLOBAL__N__0ca5d1a7_12_optimizer_cu_8f2e6a1425multi_tensor_adamw_kernelEPf"),
            UpdateRole::kUpdate)
      << "what follows the file's name counts";
}

}  // namespace
}  // namespace tauprof::capture
