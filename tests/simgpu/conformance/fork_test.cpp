// Forks before and after the first use of a device.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "device_objects.h"

namespace conformance {
namespace {

// A child that was forked before the first call has its own driver or simulation. (GoogleTest runs suites whose name
// ends in DeathTest before all others, so the process has not used the device yet.)
TEST(ForkDeathTest, AChildOfAFreshProcessStartsItsOwn) {
  const pid_t child = fork();
  if (child == 0) {
    const bool works = cudaFree(nullptr) == cudaSuccess && spin_on(nullptr, 1ms) == cudaSuccess &&
                       cudaDeviceSynchronize() == cudaSuccess;
    std::exit(works ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
}

// Multi-Process and fork: a child that was forked after CUDA was initialised cannot use it
// (cudaErrorInitializationError: the CUDA driver and runtime could not be initialized). The parent is not affected.
TEST(ForkDeathTest, OnlyTheParentGoesOn) {
  Stream stream;
  Event begin, end;
  ASSERT_CUDA(cudaEventRecord(begin, stream));
  ASSERT_CUDA(spin_on(stream, kShort));
  const pid_t child = fork();
  if (child == 0) {
    void* memory = nullptr;
    const bool refused = cudaMalloc(&memory, 16) != cudaSuccess && cudaStreamSynchronize(stream) != cudaSuccess;
    _exit(refused ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
  ASSERT_CUDA(cudaEventRecord(end, stream));
  EXPECT_GE(ms_between(begin, end), at_least_ms(kShort));
}

}  // namespace
}  // namespace conformance
