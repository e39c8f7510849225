// cuGetProcAddress, called directly and through the runtime.
#include "driver_objects.h"

namespace driver_test {
namespace {

void* entry_point(const char* symbol, int cuda_version) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  EXPECT_CU(cuGetProcAddress(symbol, &found, cuda_version, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  EXPECT_EQ(CU_GET_PROC_ADDRESS_SUCCESS, status);
  return found;
}

TEST_F(DriverTest, AnEntryPointCanBeCalled) {
  using Allocate = CUresult (*)(CUdeviceptr*, std::size_t);
  const auto allocate = reinterpret_cast<Allocate>(entry_point("cuMemAlloc", 13000));
  CUdeviceptr memory = 0;
  ASSERT_NE(nullptr, allocate);
  EXPECT_CU(allocate(&memory, 1000));
  EXPECT_CU(cuMemFree(memory));
}

// "cudaVersion … is used to … return the matching version of the function".
TEST_F(DriverTest, TheVersionIsTheCallers) {
  EXPECT_NE(entry_point("cuEventElapsedTime", 12000), entry_point("cuEventElapsedTime", 13000));
  EXPECT_EQ(entry_point("cuMemAlloc", 12000), entry_point("cuMemAlloc", 13000));
}

// A caller compiled for CUDA 13 gets the cuCtxSynchronize that takes a context.
TEST_F(DriverTest, TheNewestVersionsCanBeCalled) {
  using Synchronize = CUresult (*)(CUcontext);
  using StreamContext = CUresult (*)(CUstream, CUcontext*, CUgreenCtx*);
  CUcontext context = nullptr;
  CUgreenCtx green = reinterpret_cast<CUgreenCtx>(this);
  EXPECT_CU(reinterpret_cast<Synchronize>(entry_point("cuCtxSynchronize", 13000))(context_));
  EXPECT_CU(reinterpret_cast<StreamContext>(entry_point("cuStreamGetCtx", 13000))(nullptr, &context, &green));
  EXPECT_EQ(context_, context);
  EXPECT_EQ(nullptr, green);
}

// "CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM … This includes per-thread versions of the requested symbols."
TEST_F(DriverTest, PerThreadVersionsAreOthers) {
  void* per_thread = nullptr;
  EXPECT_CU(
      cuGetProcAddress("cuMemcpyAsync", &per_thread, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr));
  EXPECT_NE(nullptr, per_thread);
  EXPECT_NE(entry_point("cuMemcpyAsync", 13000), per_thread);
}

TEST_F(DriverTest, AnUnknownSymbolIsNotFound) {
  void* found = this;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  EXPECT_EQ(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuNothingOfThatName", &found, 13000, 0, &status));
  EXPECT_EQ(nullptr, found);
  EXPECT_EQ(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, status);
}

TEST_F(DriverTest, TheRuntimeGivesTheSame) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  EXPECT_EQ(cudaSuccess, cudaGetDriverEntryPointByVersion("cuMemAlloc", &found, 12000, cudaEnableDefault, &status));
  EXPECT_EQ(cudaDriverEntryPointSuccess, status);
  EXPECT_EQ(entry_point("cuMemAlloc", 12000), found);
}

}  // namespace
}  // namespace driver_test
