// A kernel's error makes the device unusable. Runs with the simulator's option fail=0:spin_for*:2:700, so that the
// second kernel accesses an illegal address.
#include <vector>

#include "device_objects.h"

namespace conformance {
namespace {

// Runtime, cudaErrorIllegalAddress: this leaves the process in an inconsistent state and any further CUDA work will
// return the same error. cudaGetLastError does not reset such an error.
TEST(StickyError, StaysUntilTheProcessEnds) {
  if (!on_simulator()) GTEST_SKIP() << "the fault is injected by the simulator";
  cudaStream_t stream = nullptr;
  void* memory = nullptr;
  ASSERT_CUDA(cudaStreamCreate(&stream));
  ASSERT_CUDA(spin_on(stream, 1ms));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  ASSERT_CUDA(spin_on(stream, 1ms)) << "the launch itself succeeds";
  EXPECT_EQ(cudaErrorIllegalAddress, cudaStreamSynchronize(stream));
  EXPECT_EQ(cudaErrorIllegalAddress, cudaGetLastError());
  EXPECT_EQ(cudaErrorIllegalAddress, cudaMalloc(&memory, 16));
  EXPECT_EQ(cudaErrorIllegalAddress, spin_on(stream, 1ms));
  EXPECT_EQ(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  EXPECT_EQ(cudaErrorIllegalAddress, cudaEventRecord(nullptr, stream));
  EXPECT_EQ(cudaErrorIllegalAddress, cudaGetLastError());
}

}  // namespace
}  // namespace conformance
