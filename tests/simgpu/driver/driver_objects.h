// The fixture of the driver's tests: an initialised driver and a current context.
//
// A test quotes the sentence of the CUDA Driver API reference that it checks, with the function that it is about.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#define ASSERT_CU(call) ASSERT_EQ(CUDA_SUCCESS, (call))
#define EXPECT_CU(call) EXPECT_EQ(CUDA_SUCCESS, (call))

namespace driver_test {

class DriverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_CU(cuInit(0));
    ASSERT_CU(cuDeviceGet(&device_, 0));
    ASSERT_CU(cuDevicePrimaryCtxRetain(&context_, device_));
    ASSERT_CU(cuCtxSetCurrent(context_));
  }
  void TearDown() override { EXPECT_CU(cuDevicePrimaryCtxRelease(device_)); }

  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

}  // namespace driver_test
