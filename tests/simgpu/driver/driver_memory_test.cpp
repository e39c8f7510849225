// Memory, copies, streams and events of the driver.
#include <array>

#include "driver_objects.h"

namespace driver_test {
namespace {

constexpr std::size_t kBytes = 4096;

class DriverMemoryTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_CU(cuMemAlloc(&memory_, kBytes));
  }
  void TearDown() override {
    EXPECT_CU(cuMemFree(memory_));
    DriverTest::TearDown();
  }
  CUdeviceptr memory_ = 0;
};

TEST_F(DriverMemoryTest, WhatIsCopiedInComesOut) {
  std::array<int, 4> in{3, 1, 4, 1}, out{};
  EXPECT_CU(cuMemcpyHtoD(memory_, in.data(), sizeof in));
  EXPECT_CU(cuMemcpyDtoD(memory_ + 1024, memory_, sizeof in));
  EXPECT_CU(cuMemcpyDtoH(out.data(), memory_ + 1024, sizeof out));
  EXPECT_EQ(in, out);
}

// cuMemsetD32: "Sets the memory range of N 32-bit values to the specified value ui."
TEST_F(DriverMemoryTest, AWordIsRepeated) {
  std::array<unsigned, 3> out{};
  EXPECT_CU(cuMemsetD32(memory_, 0x01020304u, 3));
  EXPECT_CU(cuMemcpyDtoH(out.data(), memory_, sizeof out));
  EXPECT_EQ((std::array<unsigned, 3>{0x01020304u, 0x01020304u, 0x01020304u}), out);
}

// cuMemGetAddressRange: "Returns the base address … and size … of the allocation … that contains the input pointer".
TEST_F(DriverMemoryTest, AnAddressTellsItsAllocation) {
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  EXPECT_CU(cuMemGetAddressRange(&base, &bytes, memory_ + 100));
  EXPECT_EQ(memory_, base);
  EXPECT_EQ(kBytes, bytes);
  int local = 0;
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &bytes, reinterpret_cast<CUdeviceptr>(&local)));
}

TEST_F(DriverMemoryTest, TheRuntimesMemoryIsKnown) {
  void* memory = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMalloc(&memory, kBytes));
  unsigned type = 0;
  int ordinal = -1;
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  EXPECT_CU(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
  EXPECT_CU(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
  EXPECT_EQ(unsigned{CU_MEMORYTYPE_DEVICE}, type);
  EXPECT_EQ(0, ordinal);
  EXPECT_EQ(cudaSuccess, cudaFree(memory));
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
}

// cuMemFree: "Frees the memory space pointed to by dptr, which must have been returned by a previous call to …
// cuMemAlloc".
TEST_F(DriverMemoryTest, OnlyAnAllocationsStartIsFreed) {
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory_ + 512));
}

// Streams and events of the two interfaces are the same objects.
TEST_F(DriverMemoryTest, StreamsAndEventsAreTheRuntimes) {
  cudaStream_t stream = nullptr;
  CUevent begin = nullptr, end = nullptr;
  ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ASSERT_CU(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  ASSERT_CU(cuEventCreate(&end, CU_EVENT_DEFAULT));
  EXPECT_CU(cuEventRecord(begin, stream));
  EXPECT_CU(cuMemsetD8Async(memory_, 1, kBytes, stream));
  EXPECT_EQ(cudaSuccess, cudaEventRecord(end, stream));
  EXPECT_CU(cuEventSynchronize(end));
  EXPECT_CU(cuStreamQuery(stream));
  float milliseconds = 0;
  EXPECT_CU(cuEventElapsedTime(&milliseconds, begin, end));
  EXPECT_GT(milliseconds, 0);
  EXPECT_CU(cuEventDestroy(begin));
  EXPECT_CU(cuEventDestroy(end));
  EXPECT_CU(cuStreamDestroy(stream));
}

}  // namespace
}  // namespace driver_test
