// Events: what they capture, when they are done, and the time between them.
#include "device_objects.h"

namespace conformance {
namespace {

// Runtime, cudaEventRecord: before the first call an event represents an empty set of work, so that cudaEventQuery
// returns cudaSuccess.
TEST(Event, IsDoneBeforeItIsRecorded) {
  Event event;
  EXPECT_CUDA(cudaEventQuery(event));
  EXPECT_CUDA(cudaEventSynchronize(event));
}

// The same, for cudaStreamWaitEvent.
TEST(Event, HoldsNobodyBackBeforeItIsRecorded) {
  Stream stream;
  Event event;
  ASSERT_CUDA(cudaStreamWaitEvent(stream, event, 0));
  EXPECT_CUDA(cudaStreamSynchronize(stream));
}

// Runtime, cudaEventQuery: cudaErrorNotReady if any captured work is incomplete, cudaSuccess once all is completed.
TEST(Event, IsDoneWithTheWorkBeforeIt) {
  Stream stream;
  Event event;
  ASSERT_CUDA(spin_on(stream, kLong));
  ASSERT_CUDA(cudaEventRecord(event, stream));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(event));
  ASSERT_CUDA(cudaEventSynchronize(event));
  EXPECT_CUDA(cudaEventQuery(event));
}

// Runtime, cudaEventRecord: uses of the stream after this call do not modify the event.
TEST(Event, DoesNotCaptureWorkAfterIt) {
  Stream stream;
  Event event;
  ASSERT_CUDA(cudaEventRecord(event, stream));
  ASSERT_CUDA(spin_on(stream, kLong));
  ASSERT_CUDA(cudaEventSynchronize(event));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
}

// Runtime, cudaEventRecord: can be called multiple times and overwrites the previously captured state.
TEST(Event, RecordingAgainOverwrites) {
  Stream stream;
  Event event;
  ASSERT_CUDA(cudaEventRecord(event, stream));
  ASSERT_CUDA(cudaEventSynchronize(event));
  ASSERT_CUDA(spin_on(stream, kLong));
  ASSERT_CUDA(cudaEventRecord(event, stream));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(event));
  ASSERT_CUDA(cudaEventSynchronize(event));
}

// The same: cudaStreamWaitEvent uses the most recently captured state at the time of the call, and is not affected by
// later calls to cudaEventRecord.
TEST(Event, AWaitKeepsTheStateThatItSaw) {
  Stream producer(cudaStreamNonBlocking), consumer(cudaStreamNonBlocking);
  Event event, consumed;
  ASSERT_CUDA(cudaEventRecord(event, producer));
  ASSERT_CUDA(cudaStreamWaitEvent(consumer, event, 0));
  ASSERT_CUDA(spin_on(producer, kLong));
  ASSERT_CUDA(cudaEventRecord(event, producer));
  ASSERT_CUDA(cudaEventRecord(consumed, consumer));
  ASSERT_CUDA(cudaEventSynchronize(consumed));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(event));
  ASSERT_CUDA(cudaEventSynchronize(event));
}

// Runtime, cudaEventDestroy: may be called before the event is complete; does not block on its completion.
TEST(Event, MayBeDestroyedBeforeItIsDone) {
  Stream producer(cudaStreamNonBlocking), consumer(cudaStreamNonBlocking);
  cudaEvent_t event = nullptr;
  ASSERT_CUDA(cudaEventCreate(&event));
  ASSERT_CUDA(spin_on(producer, kLong));
  ASSERT_CUDA(cudaEventRecord(event, producer));
  ASSERT_CUDA(cudaStreamWaitEvent(consumer, event, 0));
  ASSERT_CUDA(cudaEventDestroy(event));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(producer));
  ASSERT_CUDA(cudaStreamSynchronize(consumer));
  EXPECT_CUDA(cudaStreamQuery(producer));
}

// Runtime, cudaEventDestroy: cudaErrorInvalidResourceHandle.
TEST(Event, AStaleHandleIsRefused) {
  if (!on_simulator()) GTEST_SKIP() << "undefined on a GPU";
  cudaEvent_t event = nullptr;
  ASSERT_CUDA(cudaEventCreate(&event));
  ASSERT_CUDA(cudaEventDestroy(event));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventDestroy(event));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventQuery(event));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventRecord(event, nullptr));
}

// Runtime, cudaEventElapsedTime: the time between two events in milliseconds.
TEST(ElapsedTime, IsTheTimeOfTheWorkBetween) {
  Gate gate;
  Stream stream;
  Event begin, end;
  gate.hold(stream);
  ASSERT_CUDA(cudaEventRecord(begin, stream));
  ASSERT_CUDA(spin_on(stream, 100ms));
  ASSERT_CUDA(cudaEventRecord(end, stream));
  const float ms = ms_between(begin, end);
  EXPECT_GE(ms, at_least_ms(100ms));
  EXPECT_LE(ms, at_most_ms(100ms));
}

// The same: cudaErrorInvalidResourceHandle if cudaEventRecord has not been called on either event.
TEST(ElapsedTime, NeedsRecordedEvents) {
  float ms = 0;
  Event recorded, never;
  ASSERT_CUDA(cudaEventRecord(recorded));
  ASSERT_CUDA(cudaEventSynchronize(recorded));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, never, recorded));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, recorded, never));
}

// The same: cudaErrorNotReady if one of them has not yet been completed.
TEST(ElapsedTime, NeedsCompletedEvents) {
  float ms = 0;
  Stream stream;
  Event begin, end;
  ASSERT_CUDA(cudaEventRecord(begin, stream));
  ASSERT_CUDA(spin_on(stream, kLong));
  ASSERT_CUDA(cudaEventRecord(end, stream));
  EXPECT_EQ(cudaErrorNotReady, cudaEventElapsedTime(&ms, begin, end));
  EXPECT_GE(ms_between(begin, end), at_least_ms(kLong));
}

// The same: cudaErrorInvalidResourceHandle if either was created with cudaEventDisableTiming.
TEST(ElapsedTime, NeedsTimingEvents) {
  float ms = 0;
  Event timing, silent(cudaEventDisableTiming);
  ASSERT_CUDA(cudaEventRecord(timing));
  ASSERT_CUDA(cudaEventRecord(silent));
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, timing, silent));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, silent, timing));
}

// Runtime, cudaEventCreateWithFlags: cudaEventInterprocess must be specified along with cudaEventDisableTiming;
// cudaErrorInvalidValue.
TEST(EventFlags, AreChecked) {
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, cudaEventInterprocess));
  EXPECT_EQ(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 0x40));
}

// The same: a thread that waits for an event with cudaEventBlockingSync blocks until the event actually completes.
TEST(EventFlags, BlockingSyncWaitsAsWell) {
  Stream stream;
  Event event(cudaEventBlockingSync | cudaEventDisableTiming);
  ASSERT_CUDA(spin_on(stream, kShort));
  ASSERT_CUDA(cudaEventRecord(event, stream));
  ASSERT_CUDA(cudaEventSynchronize(event));
  EXPECT_CUDA(cudaEventQuery(event));
}

}  // namespace
}  // namespace conformance
