// The meaning of stream 0 in a file that is compiled with --default-stream per-thread.
#include <thread>

#include "device_objects.h"
#include "spin.cuh"

namespace conformance {
namespace {

void spin_here(cudaStream_t stream, std::chrono::nanoseconds length) {
  cudaGetLastError();
  spin_for<<<1, 1, 0, stream>>>(length.count());
  EXPECT_CUDA(cudaGetLastError());
}

// Stream sync, "Default stream": the behaviour is controlled per compilation unit with nvcc's --default-stream.
TEST(PerThreadUnit, StreamZeroIsThePerThreadStream) {
  unsigned long long zero = 0, per_thread = 0, legacy = 0;
  ASSERT_CUDA(cudaStreamGetId(nullptr, &zero));
  ASSERT_CUDA(cudaStreamGetId(cudaStreamPerThread, &per_thread));
  ASSERT_CUDA(cudaStreamGetId(cudaStreamLegacy, &legacy));
  EXPECT_EQ(per_thread, zero);
  EXPECT_NE(legacy, zero);
}

// Stream sync, "Per-thread default stream": does not synchronize with other streams.
TEST(PerThreadUnit, StreamZeroRunsBesideABlockingStream) {
  Stream blocking;
  spin_here(nullptr, kLong);
  spin_here(blocking, 0ns);
  ASSERT_CUDA(cudaStreamSynchronize(blocking));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(nullptr));
  ASSERT_CUDA(cudaStreamSynchronize(nullptr));
}

// The same: local to the thread.
TEST(PerThreadUnit, AnotherThreadsStreamZeroIsNotWaitedFor) {
  spin_here(nullptr, kLong);
  std::thread([] {
    spin_here(nullptr, 0ns);
    EXPECT_CUDA(cudaStreamSynchronize(nullptr));
  }).join();
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(nullptr));
  ASSERT_CUDA(cudaStreamSynchronize(nullptr));
}

// The same: it will synchronize with the legacy default stream if both are used in a program.
TEST(PerThreadUnit, StreamZeroWaitsForTheLegacyStream) {
  Event legacy_done;
  spin_here(cudaStreamLegacy, kShort);
  ASSERT_CUDA(cudaEventRecord(legacy_done, cudaStreamLegacy));
  spin_here(nullptr, 0ns);
  ASSERT_CUDA(cudaStreamSynchronize(nullptr));
  EXPECT_CUDA(cudaEventQuery(legacy_done));
}

// Runtime, cudaEventRecord: see the note on default stream behaviour for what is captured in the default case.
TEST(PerThreadUnit, AnEventOnStreamZeroCapturesThePerThreadStream) {
  Stream blocking;
  Event mark;
  spin_here(blocking, kLong);
  ASSERT_CUDA(cudaEventRecord(mark));
  ASSERT_CUDA(cudaEventSynchronize(mark));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(blocking));
  ASSERT_CUDA(cudaStreamSynchronize(blocking));
}

// Sync, "Memcpy": device to host returns only once the copy has completed; here in the per-thread stream's order.
TEST(PerThreadUnit, ABlockingCopyFollowsThisThreadsWorkOnly) {
  Stream blocking;
  DeviceMemory memory(64);
  char bytes[64] = {};
  spin_here(blocking, kLong);
  ASSERT_CUDA(cudaMemset(memory.get(), 0x5a, sizeof bytes));
  ASSERT_CUDA(cudaMemcpy(bytes, memory.get(), sizeof bytes, cudaMemcpyDeviceToHost));
  EXPECT_EQ(0x5a, bytes[63]);
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(blocking));
  ASSERT_CUDA(cudaStreamSynchronize(blocking));
}

}  // namespace
}  // namespace conformance
