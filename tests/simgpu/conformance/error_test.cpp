// Errors: which calls return them, how long they are kept, and on which threads.
#include <cstring>
#include <thread>

#include "device_objects.h"

namespace conformance {
namespace {

void make_an_error() { EXPECT_EQ(cudaErrorInvalidValue, cudaStreamCreate(nullptr)); }

// Runtime, cudaGetLastError: returns the last error of this host thread and resets it to cudaSuccess.
TEST(LastError, IsReturnedOnce) {
  make_an_error();
  EXPECT_EQ(cudaErrorInvalidValue, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
}

// Runtime, cudaPeekAtLastError: does not reset the error.
TEST(LastError, CanBePeekedAt) {
  make_an_error();
  EXPECT_EQ(cudaErrorInvalidValue, cudaPeekAtLastError());
  EXPECT_EQ(cudaErrorInvalidValue, cudaPeekAtLastError());
  EXPECT_EQ(cudaErrorInvalidValue, cudaGetLastError());
}

// Guide, "Error Checking": the runtime maintains an error variable for each host thread that is overwritten every time
// an error occurs: a success leaves it.
TEST(LastError, SurvivesASuccessAndYieldsToAnotherError) {
  make_an_error();
  EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(cudaErrorInvalidValue, cudaPeekAtLastError());
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(1000));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaGetLastError());
}

// The same: for each host thread.
TEST(LastError, BelongsToItsThread) {
  make_an_error();
  std::thread([] { EXPECT_EQ(cudaSuccess, cudaPeekAtLastError()); }).join();
  EXPECT_EQ(cudaErrorInvalidValue, cudaGetLastError());
}

// The same: cudaErrorNotReady, which cudaStreamQuery and cudaEventQuery may return, is not considered an error and is
// not reported by cudaPeekAtLastError or cudaGetLastError.
TEST(LastError, IsNotNotReady) {
  Stream stream;
  ASSERT_CUDA(spin_on(stream, kLong));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
  ASSERT_CUDA(cudaStreamSynchronize(stream));
}

// Guide, "Error Checking": a kernel launch does not return an error code; pre-launch errors are in cudaGetLastError.
// cudaErrorInvalidConfiguration: resources that can never be satisfied by the device.
TEST(Launch, ReportsAnImpossibleConfiguration) {
  EXPECT_EQ(cudaErrorInvalidConfiguration, launch_with(0, 1, 0));
  EXPECT_EQ(cudaErrorInvalidConfiguration, launch_with(1, 0, 0));
  EXPECT_EQ(cudaErrorInvalidConfiguration, launch_with(1, 2048, 0));
  EXPECT_EQ(cudaErrorInvalidConfiguration, launch_with(1, dim3(1, 1, 128), 0));
  EXPECT_EQ(cudaErrorInvalidConfiguration, launch_with(dim3(1, 70000), 1, 0));
  EXPECT_EQ(cudaSuccess, launch_with(1, 1024, 0));
  EXPECT_CUDA(cudaDeviceSynchronize());
}

// Guide, "Shared Memory": more than 48 KB of dynamic shared memory must be asked for with cudaFuncSetAttribute.
TEST(Launch, ReportsTooMuchSharedMemory) {
  EXPECT_EQ(cudaErrorInvalidValue, launch_with(1, 1, 200 << 10));
  EXPECT_EQ(cudaSuccess, launch_with(1, 1, 48 << 10));
  EXPECT_CUDA(cudaDeviceSynchronize());
}

// Runtime, cudaSetDevice: cudaErrorInvalidDevice; valid ids are 0 to cudaGetDeviceCount() - 1.
TEST(Device, MustExist) {
  int count = 0, current = -1;
  ASSERT_CUDA(cudaGetDeviceCount(&count));
  ASSERT_GE(count, 1);
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(count));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(-1));
  ASSERT_CUDA(cudaGetDevice(&current));
  EXPECT_EQ(0, current);
  cudaGetLastError();
}

// Runtime, cudaGetErrorName and cudaGetErrorString: the name of the enumerator; "unrecognized error code" otherwise.
TEST(ErrorText, NamesTheError) {
  EXPECT_STREQ("cudaErrorNotReady", cudaGetErrorName(cudaErrorNotReady));
  EXPECT_STREQ("cudaSuccess", cudaGetErrorName(cudaSuccess));
  EXPECT_STREQ("unrecognized error code", cudaGetErrorName(static_cast<cudaError_t>(123456)));
  EXPECT_GT(std::strlen(cudaGetErrorString(cudaErrorMemoryAllocation)), 5u);
}

}  // namespace
}  // namespace conformance
