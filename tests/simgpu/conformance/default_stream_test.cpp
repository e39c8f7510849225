// The legacy default stream, which is ordered with blocking streams, and the per-thread default stream.
#include <thread>

#include "device_objects.h"

namespace conformance {
namespace {

// Queues a kernel of `length` on `first`, then a mark on `second`. Returns whether the mark waited for the kernel.
bool waits(cudaStream_t second, cudaStream_t first, std::chrono::milliseconds length) {
  Event first_done, mark;
  EXPECT_CUDA(spin_on(first, length));
  EXPECT_CUDA(cudaEventRecord(first_done, first));
  EXPECT_CUDA(spin_on(second, 0ns));
  EXPECT_CUDA(cudaEventRecord(mark, second));
  EXPECT_CUDA(cudaEventSynchronize(mark));
  const bool waited = cudaEventQuery(first_done) == cudaSuccess;
  EXPECT_CUDA(cudaDeviceSynchronize());
  cudaGetLastError();
  return waited;
}

// Stream sync, "Legacy default stream": it first waits on all blocking streams.
TEST(LegacyStream, WaitsForABlockingStream) {
  Stream blocking;
  EXPECT_TRUE(waits(nullptr, blocking, kShort));
  EXPECT_TRUE(waits(cudaStreamLegacy, blocking, kShort));
}

// The same: then all blocking streams wait on the legacy stream.
TEST(LegacyStream, HoldsBackABlockingStream) {
  Stream blocking;
  EXPECT_TRUE(waits(blocking, nullptr, kShort));
  EXPECT_TRUE(waits(blocking, cudaStreamLegacy, kShort));
}

// The same: non-blocking streams do not synchronize with the legacy stream.
TEST(LegacyStream, LeavesANonBlockingStreamAlone) {
  Stream independent(cudaStreamNonBlocking);
  EXPECT_FALSE(waits(independent, nullptr, kLong));
  EXPECT_FALSE(waits(nullptr, independent, kLong));
}

// The same, its example: k_1 in a stream, k_2 in the legacy stream, k_3 in the stream: k_2 blocks on k_1, k_3 on k_2.
TEST(LegacyStream, StandsBetweenTheWorkOfAStream) {
  Stream stream;
  Event begin, end;
  ASSERT_CUDA(cudaEventRecord(begin, stream));
  for (cudaStream_t where : {static_cast<cudaStream_t>(stream), cudaStream_t{}, static_cast<cudaStream_t>(stream)}) {
    ASSERT_CUDA(spin_on(where, 50ms));
  }
  ASSERT_CUDA(cudaEventRecord(end, stream));
  EXPECT_GE(ms_between(begin, end), at_least_ms(150ms));
}

// Guide, "Implicit Synchronization": two commands from different streams cannot run concurrently if a command to the
// NULL stream is issued in between them.
TEST(LegacyStream, SeparatesTwoBlockingStreams) {
  Stream one, other;
  Event one_done, mark;
  ASSERT_CUDA(spin_on(one, kShort));
  ASSERT_CUDA(cudaEventRecord(one_done, one));
  ASSERT_CUDA(spin_on(nullptr, 0ns));
  ASSERT_CUDA(spin_on(other, 0ns));
  ASSERT_CUDA(cudaEventRecord(mark, other));
  ASSERT_CUDA(cudaEventSynchronize(mark));
  EXPECT_CUDA(cudaEventQuery(one_done));
}

// Stream sync, "Per-thread default stream": does not synchronize with other streams, just like explicitly created ones.
TEST(PerThreadStream, RunsBesideABlockingStream) {
  Stream blocking;
  EXPECT_FALSE(waits(cudaStreamPerThread, blocking, kLong));
  EXPECT_FALSE(waits(blocking, cudaStreamPerThread, kLong));
}

// The same: it is not a non-blocking stream and will synchronize with the legacy default stream.
TEST(PerThreadStream, SynchronizesWithTheLegacyStream) {
  EXPECT_TRUE(waits(cudaStreamPerThread, cudaStreamLegacy, kShort));
  EXPECT_TRUE(waits(cudaStreamLegacy, cudaStreamPerThread, kShort));
}

// The same: it is local to both the thread and the context.
TEST(PerThreadStream, IsAnotherInEachThread) {
  ASSERT_CUDA(spin_on(cudaStreamPerThread, kLong));
  std::thread([] {
    EXPECT_CUDA(spin_on(cudaStreamPerThread, 0ns));
    EXPECT_CUDA(cudaStreamSynchronize(cudaStreamPerThread));
  }).join();
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(cudaStreamPerThread));
  ASSERT_CUDA(cudaStreamSynchronize(cudaStreamPerThread));
}

// Runtime, cudaStreamSynchronize on the NULL stream: waits for the legacy stream, and so for all that this stream waits
// for.
TEST(LegacyStream, SynchronizeWaitsForBlockingStreams) {
  Stream blocking;
  Event done;
  ASSERT_CUDA(spin_on(blocking, kShort));
  ASSERT_CUDA(cudaEventRecord(done, blocking));
  ASSERT_CUDA(spin_on(nullptr, 0ns));
  ASSERT_CUDA(cudaStreamSynchronize(nullptr));
  EXPECT_CUDA(cudaEventQuery(done));
}

}  // namespace
}  // namespace conformance
