// Streams: order in a stream, independence of streams, waiting for events, priorities, destruction.
#include <utility>

#include "device_objects.h"

namespace conformance {
namespace {

// Guide, "Streams": the commands of a stream execute in order.
TEST(Stream, RunsItsWorkInOrder) {
  Stream stream;
  Event begin, middle, end;
  ASSERT_CUDA(cudaEventRecord(begin, stream));
  ASSERT_CUDA(spin_on(stream, kShort));
  ASSERT_CUDA(cudaEventRecord(middle, stream));
  ASSERT_CUDA(spin_on(stream, kShort));
  ASSERT_CUDA(cudaEventRecord(end, stream));
  ASSERT_CUDA(cudaEventSynchronize(end));
  EXPECT_CUDA(cudaEventQuery(middle));
  EXPECT_GE(ms_between(begin, middle), at_least_ms(kShort));
  EXPECT_GE(ms_between(middle, end), at_least_ms(kShort));
}

// Guide, "Streams": different streams may execute their commands out of order with respect to one another or
// concurrently. (CUDA does not promise that they do, but kernels of one thread leave the device room for it.)
TEST(Stream, RunsBesideAnotherOne) {
  Gate gate;
  Stream one, other;
  Event end;
  for (cudaStream_t stream : {static_cast<cudaStream_t>(one), static_cast<cudaStream_t>(other)}) {
    gate.hold(stream);
    ASSERT_CUDA(spin_on(stream, 100ms));
  }
  Event one_done;
  ASSERT_CUDA(cudaEventRecord(one_done, one));
  ASSERT_CUDA(cudaStreamWaitEvent(other, one_done, 0));
  ASSERT_CUDA(cudaEventRecord(end, other));
  EXPECT_LE(ms_between(gate.opening(), end), at_most_ms(100ms));
}

// Sync, "Kernel launches": asynchronous with respect to the host.
TEST(Stream, LaunchesReturnBeforeTheKernelEnds) {
  Stream stream;
  ASSERT_CUDA(spin_on(stream, kLong));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
}

// Runtime, cudaStreamSynchronize: blocks until the stream has completed all operations; cudaStreamQuery: cudaSuccess
// if all operations in the stream have completed, cudaErrorNotReady if not.
TEST(Stream, SynchronizeWaitsForAllItsWork) {
  Stream stream;
  Event begin, end;
  ASSERT_CUDA(cudaEventRecord(begin, stream));
  ASSERT_CUDA(spin_on(stream, kShort));
  ASSERT_CUDA(cudaEventRecord(end, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_CUDA(cudaStreamQuery(stream));
  EXPECT_CUDA(cudaEventQuery(end));
}

// Runtime, cudaDeviceSynchronize: blocks until the device has completed all preceding requested tasks.
TEST(Stream, DeviceSynchronizeWaitsForAllStreams) {
  Stream blocking, independent(cudaStreamNonBlocking);
  for (cudaStream_t stream : {static_cast<cudaStream_t>(blocking), static_cast<cudaStream_t>(independent),
                              cudaStreamLegacy, cudaStreamPerThread}) {
    ASSERT_CUDA(spin_on(stream, kShort));
  }
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_CUDA(cudaStreamQuery(blocking));
  EXPECT_CUDA(cudaStreamQuery(independent));
  EXPECT_CUDA(cudaStreamQuery(cudaStreamLegacy));
  EXPECT_CUDA(cudaStreamQuery(cudaStreamPerThread));
}

// Runtime, cudaStreamWaitEvent: makes all future work submitted to the stream wait for all work captured in the event.
TEST(Stream, WaitsForAnEventOfAnotherStream) {
  Stream producer, consumer;
  Event produced, consumed;
  ASSERT_CUDA(spin_on(producer, kShort));
  ASSERT_CUDA(cudaEventRecord(produced, producer));
  ASSERT_CUDA(cudaStreamWaitEvent(consumer, produced, 0));
  ASSERT_CUDA(cudaEventRecord(consumed, consumer));
  ASSERT_CUDA(cudaEventSynchronize(consumed));
  EXPECT_CUDA(cudaEventQuery(produced));
  EXPECT_GE(ms_between(produced, consumed), 0);
}

// Runtime, cudaStreamWaitEvent: only future work waits.
TEST(Stream, WorkBeforeAWaitDoesNotWait) {
  Stream producer(cudaStreamNonBlocking), consumer(cudaStreamNonBlocking);
  Event produced, before;
  ASSERT_CUDA(spin_on(producer, kLong));
  ASSERT_CUDA(cudaEventRecord(produced, producer));
  ASSERT_CUDA(cudaEventRecord(before, consumer));
  ASSERT_CUDA(cudaStreamWaitEvent(consumer, produced, 0));
  ASSERT_CUDA(cudaEventSynchronize(before));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(produced));
  ASSERT_CUDA(cudaStreamSynchronize(consumer));
  EXPECT_CUDA(cudaEventQuery(produced));
}

// Runtime, cudaStreamDestroy: in case the device is still doing work in the stream, the function returns immediately
// and the resources are released once the device has completed all work in the stream.
TEST(Stream, DestroyLeavesPendingWorkToComplete) {
  cudaStream_t stream = nullptr;
  Event begin, end;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ASSERT_CUDA(cudaEventRecord(begin, stream));
  ASSERT_CUDA(spin_on(stream, kLong));
  ASSERT_CUDA(cudaEventRecord(end, stream));
  ASSERT_CUDA(cudaStreamDestroy(stream));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(end));
  EXPECT_GE(ms_between(begin, end), at_least_ms(kLong));
}

// Runtime, cudaStreamDestroy and cudaStreamSynchronize: cudaErrorInvalidResourceHandle. Passing a destroyed handle is
// undefined on a GPU.
TEST(Stream, AStaleHandleIsRefused) {
  if (!on_simulator()) GTEST_SKIP() << "undefined on a GPU";
  cudaStream_t stream = nullptr;
  ASSERT_CUDA(cudaStreamCreate(&stream));
  ASSERT_CUDA(cudaStreamDestroy(stream));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, spin_on(stream, 0ns));
}

// Runtime, cudaDeviceGetStreamPriorityRange: lower numbers are greater priorities; either pointer may be null.
TEST(StreamPriority, HasARange) {
  int least = -1, greatest = 1;
  ASSERT_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_LE(greatest, least);
  EXPECT_CUDA(cudaDeviceGetStreamPriorityRange(nullptr, &greatest));
  EXPECT_CUDA(cudaDeviceGetStreamPriorityRange(&least, nullptr));
}

// Runtime, cudaStreamCreateWithPriority: a priority outside the range is clamped to the lowest or the highest number.
TEST(StreamPriority, IsClampedToTheRange) {
  int least = 0, greatest = 0;
  ASSERT_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  const std::pair<int, int> cases[] = {{least + 7, least}, {greatest - 7, greatest}, {greatest, greatest}};
  for (const auto& [asked, given] : cases) {
    cudaStream_t stream = nullptr;
    int priority = 99;
    ASSERT_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, asked));
    EXPECT_CUDA(cudaStreamGetPriority(stream, &priority));
    EXPECT_EQ(given, priority);
    EXPECT_CUDA(cudaStreamDestroy(stream));
  }
}

// Runtime, cudaStreamCreateWithFlags: cudaStreamDefault and cudaStreamNonBlocking are valid; cudaErrorInvalidValue.
TEST(StreamFlags, AreKeptAndChecked) {
  unsigned flags = 99;
  Stream blocking, independent(cudaStreamNonBlocking);
  ASSERT_CUDA(cudaStreamGetFlags(blocking, &flags));
  EXPECT_EQ(static_cast<unsigned>(cudaStreamDefault), flags);
  ASSERT_CUDA(cudaStreamGetFlags(independent, &flags));
  EXPECT_EQ(static_cast<unsigned>(cudaStreamNonBlocking), flags);
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 0x40));
  EXPECT_EQ(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
}

}  // namespace
}  // namespace conformance
