// Stream capture: what becomes part of the graph, which calls are illegal meanwhile, and what an illegal call does to
// the capture.
#include <atomic>
#include <thread>

#include "captured_graph.h"

namespace conformance {
namespace {

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_CUDA(cudaStreamIsCapturing(stream, &status));
  return status;
}

// A stream to capture on. TearDown discards what a test leaves of the capture.
class Capture : public ::testing::Test {
 protected:
  void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    ASSERT_CUDA(cudaStreamBeginCapture(stream_, mode));
  }
  // Guide, "Invalidation": when a capture is invalidated, cudaStreamEndCapture returns an error and a null graph.
  void expect_invalidated() {
    EXPECT_EQ(cudaStreamCaptureStatusInvalidated, status_of(stream_));
    cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(1);
    EXPECT_EQ(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream_, &graph));
    EXPECT_EQ(nullptr, graph);
    EXPECT_EQ(cudaStreamCaptureStatusNone, status_of(stream_));
    cudaGetLastError();
  }
  void TearDown() override {
    cudaGraph_t graph = nullptr;
    if (status_of(stream_) != cudaStreamCaptureStatusNone && cudaStreamEndCapture(stream_, &graph) == cudaSuccess) {
      EXPECT_CUDA(cudaGraphDestroy(graph));
    }
    cudaGetLastError();
  }

  Stream stream_;
};

// Runtime, cudaStreamBeginCapture: operations pushed into the stream will not be executed, but captured into a graph.
TEST_F(Capture, DoesNotExecute) {
  std::atomic<bool> ran{false};
  begin();
  EXPECT_EQ(cudaStreamCaptureStatusActive, status_of(stream_));
  ASSERT_CUDA(cudaLaunchHostFunc(
      stream_, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &ran));
  cudaGraph_t captured = nullptr;
  ASSERT_CUDA(cudaStreamEndCapture(stream_, &captured));
  Graph graph(captured);
  EXPECT_EQ(cudaStreamCaptureStatusNone, status_of(stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
  EXPECT_FALSE(ran);
  GraphExec exec(graph);
  ASSERT_CUDA(cudaGraphLaunch(exec, stream_));
  ASSERT_CUDA(cudaStreamSynchronize(stream_));
  EXPECT_TRUE(ran);
}

// The same: capture may not be initiated if the stream is cudaStreamLegacy.
TEST_F(Capture, TheLegacyStreamCannotBeCaptured) {
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed));
}

// The same: may only be initiated if the stream is not already in capture mode.
TEST_F(Capture, CannotBeBegunTwice) {
  begin();
  EXPECT_NE(cudaSuccess, cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
}

// Runtime, cudaStreamEndCapture: capture must have been initiated on the stream.
TEST_F(Capture, CannotBeEndedUnbegun) {
  cudaGraph_t graph = nullptr;
  EXPECT_NE(cudaSuccess, cudaStreamEndCapture(stream_, &graph));
}

// Runtime, cudaStreamBeginCapture: if the mode is not relaxed, the end must be called from the same thread;
// cudaStreamEndCapture: cudaErrorStreamCaptureWrongThread.
TEST_F(Capture, EndsOnItsThreadUnlessRelaxed) {
  cudaGraph_t graph = nullptr;
  begin(cudaStreamCaptureModeThreadLocal);
  std::thread([&] { EXPECT_EQ(cudaErrorStreamCaptureWrongThread, cudaStreamEndCapture(stream_, &graph)); }).join();
  cudaStreamEndCapture(stream_, &graph);
  if (graph != nullptr) {
    EXPECT_CUDA(cudaGraphDestroy(graph));
  }
  begin(cudaStreamCaptureModeRelaxed);
  std::thread([&] { EXPECT_CUDA(cudaStreamEndCapture(stream_, &graph)); }).join();
  EXPECT_CUDA(cudaGraphDestroy(graph));
}

// Guide, "Cross-stream Dependencies and Events": waiting for an event that was recorded in a capturing stream places
// the waiting stream into the same capture; its work must be joined to the origin before the end.
TEST_F(Capture, EventsForkAndJoin) {
  Stream side;
  Event fork, join;
  begin();
  ASSERT_CUDA(spin_on(stream_, 1ms));
  ASSERT_CUDA(cudaEventRecord(fork, stream_));
  ASSERT_CUDA(cudaStreamWaitEvent(side, fork, 0));
  EXPECT_EQ(cudaStreamCaptureStatusActive, status_of(side));
  ASSERT_CUDA(spin_on(side, 1ms));
  ASSERT_CUDA(spin_on(stream_, 1ms));
  ASSERT_CUDA(cudaEventRecord(join, side));
  ASSERT_CUDA(cudaStreamWaitEvent(stream_, join, 0));
  ASSERT_CUDA(spin_on(stream_, 1ms));
  cudaGraph_t captured = nullptr;
  ASSERT_CUDA(cudaStreamEndCapture(stream_, &captured));
  Graph graph(captured);
  EXPECT_EQ(cudaStreamCaptureStatusNone, status_of(side));
  EXPECT_EQ(4u, graph.node_count());
  std::size_t roots = 0;
  ASSERT_CUDA(cudaGraphGetRootNodes(graph, nullptr, &roots));
  EXPECT_EQ(1u, roots);
}

// The same: cudaErrorStreamCaptureUnjoined: the capture was not joined to the original stream.
TEST_F(Capture, AForkMustBeJoined) {
  Stream side;
  Event fork;
  begin();
  ASSERT_CUDA(cudaEventRecord(fork, stream_));
  ASSERT_CUDA(cudaStreamWaitEvent(side, fork, 0));
  ASSERT_CUDA(spin_on(side, 1ms));
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(1);
  EXPECT_EQ(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(stream_, &graph));
  EXPECT_EQ(nullptr, graph);
}

// Guide, "Prohibited and Unhandled Operations": waiting on an event from outside the capture, without
// cudaEventWaitExternal, is invalid; cudaErrorStreamCaptureIsolation: a dependency would have crossed the boundary.
TEST_F(Capture, CannotWaitForWorkOutside) {
  Stream outside;
  Event event;
  ASSERT_CUDA(cudaEventRecord(event, outside));
  begin();
  EXPECT_EQ(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(stream_, event, 0));
  expect_invalidated();
}

// The same: it is invalid to synchronize or query the execution status of a stream which is being captured.
TEST_F(Capture, CannotBeSynchronized) {
  begin();
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream_));
  expect_invalidated();
  begin();
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream_));
  expect_invalidated();
}

// The same, of a captured event; cudaErrorCapturedEvent: the operation is not permitted on an event which was last
// recorded in a capturing stream.
TEST_F(Capture, ACapturedEventCannotBeQueried) {
  Event event;
  begin(cudaStreamCaptureModeRelaxed);
  ASSERT_CUDA(cudaEventRecord(event, stream_));
  EXPECT_EQ(cudaErrorCapturedEvent, cudaEventQuery(event));
  EXPECT_EQ(cudaErrorCapturedEvent, cudaEventSynchronize(event));
}

// The same: it is invalid to synchronize the device, whose status includes the captured stream's.
TEST_F(Capture, ForbidsSynchronizingTheDevice) {
  begin();
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  expect_invalidated();
}

// The same: as long as a stream that was not created with cudaStreamNonBlocking is captured, any attempted use of the
// legacy stream is invalid; cudaErrorStreamCaptureImplicit.
TEST_F(Capture, ForbidsTheLegacyStream) {
  begin();
  EXPECT_EQ(cudaErrorStreamCaptureImplicit, spin_on(nullptr, 0ns));
  expect_invalidated();
}

// Runtime, cudaStreamIsCapturing: on cudaStreamLegacy while a blocking stream of the device is captured,
// cudaErrorStreamCaptureImplicit; the blocking stream's capture is not invalidated.
TEST_F(Capture, AskingTheLegacyStreamIsHarmless) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  begin();
  EXPECT_EQ(cudaErrorStreamCaptureImplicit, cudaStreamIsCapturing(cudaStreamLegacy, &status));
  EXPECT_EQ(cudaStreamCaptureStatusActive, status_of(stream_));
}

// Guide, as above: capturing a stream that was created with cudaStreamNonBlocking does not affect the legacy stream.
TEST_F(Capture, OfANonBlockingStreamAllowsTheLegacyStream) {
  Stream independent(cudaStreamNonBlocking);
  cudaGraph_t graph = nullptr;
  ASSERT_CUDA(cudaStreamBeginCapture(independent, cudaStreamCaptureModeRelaxed));
  EXPECT_CUDA(spin_on(nullptr, 0ns));
  EXPECT_CUDA(cudaStreamSynchronize(nullptr));
  ASSERT_CUDA(cudaStreamEndCapture(independent, &graph));
  EXPECT_CUDA(cudaGraphDestroy(graph));
}

// Runtime, cudaThreadExchangeStreamCaptureMode: a thread with an ongoing capture of its own that is not relaxed is
// prohibited from potentially unsafe calls such as cudaMalloc.
TEST_F(Capture, ForbidsUnsafeCallsUnlessRelaxed) {
  void* memory = nullptr;
  for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal}) {
    begin(mode);
    EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaMalloc(&memory, 16));
    expect_invalidated();
  }
  begin(cudaStreamCaptureModeRelaxed);
  EXPECT_CUDA(cudaMalloc(&memory, 16));
  EXPECT_EQ(cudaStreamCaptureStatusActive, status_of(stream_));
  EXPECT_CUDA(cudaFree(memory));
}

cudaError_t malloc_on_another_thread() {
  cudaError_t error = cudaErrorUnknown;
  std::thread([&error] {
    void* memory = nullptr;
    error = cudaMalloc(&memory, 16);
    if (error == cudaSuccess) {
      EXPECT_CUDA(cudaFree(memory));
    }
  }).join();
  return error;
}

// The same: so is a thread while any other thread has a capture that was started with cudaStreamCaptureModeGlobal.
// Thread-local captures in other threads are ignored.
TEST_F(Capture, OnlyGlobalModeReachesOtherThreads) {
  begin(cudaStreamCaptureModeThreadLocal);
  EXPECT_CUDA(malloc_on_another_thread());
  EXPECT_EQ(cudaStreamCaptureStatusActive, status_of(stream_));
  TearDown();
  begin(cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, malloc_on_another_thread());
}

// The same: it overwrites the mode with the previous one; the default is global. In relaxed mode the thread is not
// prohibited from potentially unsafe calls.
TEST_F(Capture, AThreadCanRelaxItsOwnMode) {
  void* memory = nullptr;
  begin(cudaStreamCaptureModeGlobal);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  ASSERT_CUDA(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(cudaStreamCaptureModeGlobal, mode);
  EXPECT_CUDA(cudaMalloc(&memory, 16));
  ASSERT_CUDA(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(cudaStreamCaptureModeRelaxed, mode);
  EXPECT_EQ(cudaStreamCaptureStatusActive, status_of(stream_));
  TearDown();
  EXPECT_CUDA(cudaFree(memory));
}

// Guide, "Prohibited and Unhandled Operations": calling a synchronous API such as cudaMemcpy is invalid: it enqueues
// work into the legacy stream and synchronizes it before it returns. (The guide does not say which capture error the
// call returns.)
TEST_F(Capture, ForbidsBlockingCopies) {
  DeviceMemory device(64);
  char bytes[64] = {};
  begin();
  const cudaError_t error = cudaMemcpy(device.get(), bytes, sizeof bytes, cudaMemcpyHostToDevice);
  EXPECT_TRUE(error == cudaErrorStreamCaptureImplicit || error == cudaErrorStreamCaptureUnsupported) << error;
  expect_invalidated();
}

}  // namespace
}  // namespace conformance
