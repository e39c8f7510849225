// Initialisation, devices and contexts, which the driver shares with the runtime.
#include <cstring>
#include <string>

#include "driver_objects.h"

namespace driver_test {
namespace {

// cuInit: "Initializes the driver API and must be called before any other function from the driver API."
TEST(Driver, NothingIsServedBeforeInitialisation) {
  int count = 0;
  EXPECT_EQ(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
  EXPECT_CU(cuInit(0));
  EXPECT_CU(cuDeviceGetCount(&count));
  EXPECT_GE(count, 1);
}

// "Currently, the Flags parameter must be 0."
TEST(Driver, InitialisationHasNoFlags) { EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuInit(1)); }

TEST(Driver, TheRuntimeInitialisesIt) {
  int runtime_count = 0, count = 0;
  ASSERT_EQ(cudaSuccess, cudaGetDeviceCount(&runtime_count));
  EXPECT_CU(cuDeviceGetCount(&count));
  EXPECT_EQ(runtime_count, count);
}

// cuDevicePrimaryCtxGetState: "Returns in *active … whether … the primary context … is active".
TEST(Driver, ThePrimaryContextIsActiveOnceRetained) {
  ASSERT_CU(cuInit(0));
  unsigned flags = 1;
  int active = 1;
  EXPECT_CU(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(0, active);
  CUcontext context = nullptr;
  EXPECT_CU(cuDevicePrimaryCtxRetain(&context, 0));
  EXPECT_CU(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(1, active);
  EXPECT_NE(nullptr, context);
}

TEST_F(DriverTest, ADeviceIsTheRuntimesDevice) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaSuccess, cudaGetDeviceProperties(&properties, device_));
  char name[256];
  EXPECT_CU(cuDeviceGetName(name, sizeof name, device_));
  EXPECT_STREQ(properties.name, name);
  int major = 0;
  EXPECT_CU(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device_));
  EXPECT_EQ(properties.major, major);
  std::size_t bytes = 0;
  EXPECT_CU(cuDeviceTotalMem(&bytes, device_));
  EXPECT_GT(bytes, 0u);
  CUuuid uuid;
  EXPECT_CU(cuDeviceGetUuid(&uuid, device_));
  EXPECT_EQ(0, std::memcmp(uuid.bytes, properties.uuid.bytes, sizeof uuid.bytes));
}

// cuDeviceGet: "device … in the range [0, cuDeviceGetCount()-1]".
TEST_F(DriverTest, AnOrdinalBeyondTheDevicesIsInvalid) {
  int count = 0;
  CUdevice device = 0;
  ASSERT_CU(cuDeviceGetCount(&count));
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, count));
  int value = 0;
  EXPECT_EQ(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, count));
}

// cuCtxPushCurrent: "Pushes the given context ctx onto the CPU thread's stack of current contexts."
TEST_F(DriverTest, APushedContextIsCurrentUntilItIsPopped) {
  int count = 0;
  ASSERT_CU(cuDeviceGetCount(&count));
  if (count < 2) GTEST_SKIP() << "needs two devices";
  CUcontext other = nullptr, current = nullptr, popped = nullptr;
  ASSERT_CU(cuDevicePrimaryCtxRetain(&other, 1));
  EXPECT_CU(cuCtxPushCurrent(other));
  EXPECT_CU(cuCtxGetCurrent(&current));
  EXPECT_EQ(other, current);
  int runtime_device = -1;
  EXPECT_EQ(cudaSuccess, cudaGetDevice(&runtime_device));
  EXPECT_EQ(1, runtime_device);
  EXPECT_CU(cuCtxPopCurrent(&popped));
  EXPECT_EQ(other, popped);
  EXPECT_CU(cuCtxGetCurrent(&current));
  EXPECT_EQ(context_, current);
  EXPECT_CU(cuDevicePrimaryCtxRelease(1));
}

// cuGetErrorName: "If the error code is not recognized, CUDA_ERROR_INVALID_VALUE will be returned and *pStr will be set
// to the NULL address."
TEST(Driver, ErrorsHaveNamesAndTexts) {
  const char* text = nullptr;
  EXPECT_CU(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_STREQ("CUDA_ERROR_OUT_OF_MEMORY", text);
  EXPECT_CU(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_STREQ("out of memory", text);
  EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(static_cast<CUresult>(-1), &text));
  EXPECT_EQ(nullptr, text);
}

}  // namespace
}  // namespace driver_test
