// Modules loaded at run time, and launches of their kernels.
#include "driver_objects.h"

namespace driver_test {
namespace {

constexpr const char* kPtx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry nothing_to_do()
{
  ret;
}
)";

class ModuleTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_CU(cuModuleLoadData(&module_, kPtx));
    ASSERT_CU(cuModuleGetFunction(&kernel_, module_, "nothing_to_do"));
  }
  void TearDown() override {
    EXPECT_CU(cuModuleUnload(module_));
    DriverTest::TearDown();
  }
  CUresult launch(unsigned blocks, unsigned threads) {
    return cuLaunchKernel(kernel_, blocks, 1, 1, threads, 1, 1, 0, nullptr, nullptr, nullptr);
  }
  CUmodule module_ = nullptr;
  CUfunction kernel_ = nullptr;
};

// cuModuleGetFunction: "If no kernel of that name exists, cuModuleGetFunction() returns CUDA_ERROR_NOT_FOUND."
TEST_F(ModuleTest, AKernelIsFoundByItsName) {
  CUfunction other = nullptr;
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&other, module_, "something_to_do"));
  const char* name = nullptr;
  EXPECT_CU(cuFuncGetName(&name, kernel_));
  EXPECT_STREQ("nothing_to_do", name);
}

TEST_F(ModuleTest, AKernelRuns) {
  EXPECT_CU(launch(4, 128));
  EXPECT_CU(cuCtxSynchronize());
}

TEST_F(ModuleTest, ALaunchBeyondTheDevicesLimitsFails) {
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, launch(0, 128));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, launch(1, 4096));
}

TEST_F(ModuleTest, ALaunchWithAttributesRuns) {
  CUlaunchAttribute cooperative{};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  cooperative.value.cooperative = 1;
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32;
  config.blockDimY = config.blockDimZ = 1;
  config.attrs = &cooperative;
  config.numAttrs = 1;
  EXPECT_CU(cuLaunchKernelEx(&config, kernel_, nullptr, nullptr));
  EXPECT_CU(cuCtxSynchronize());
}

// cuModuleLoadData: CUDA_ERROR_INVALID_IMAGE or CUDA_ERROR_INVALID_PTX for data that is not a module.
TEST_F(DriverTest, WhatIsNoModuleIsRefused) {
  CUmodule module = nullptr;
  EXPECT_NE(CUDA_SUCCESS, cuModuleLoadData(&module, "no module at all"));
}

}  // namespace
}  // namespace driver_test
