// Two devices: on which device streams and events may be used, and copies between devices.
#include "device_objects.h"

namespace conformance {
namespace {

class TwoDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    ASSERT_CUDA(cudaGetDeviceCount(&count));
    if (count < 2) GTEST_SKIP() << "needs two devices";
    use(0);
  }
  void TearDown() override { cudaSetDevice(0); }
  static void use(int device) { ASSERT_CUDA(cudaSetDevice(device)); }
};

// Guide, "Device Selection": memory, kernels, streams and events belong to the device that is current.
TEST_F(TwoDevices, MemoryBelongsToTheCurrentOne) {
  use(1);
  DeviceMemory memory(64);
  cudaPointerAttributes attributes{};
  ASSERT_CUDA(cudaPointerGetAttributes(&attributes, memory.get()));
  EXPECT_EQ(1, attributes.device);
}

// Guide, "Stream and Event Behavior": a kernel launch will fail if it is issued to a stream that is not associated to
// the current device.
TEST_F(TwoDevices, AKernelNeedsAStreamOfTheCurrentOne) {
  Stream stream;
  use(1);
  EXPECT_EQ(cudaErrorInvalidResourceHandle, spin_on(stream, 0ns));
}

// The same: a memory copy will succeed even if it is issued to a stream that is not associated to the current device.
TEST_F(TwoDevices, ACopyTakesAnyStream) {
  Stream stream;
  DeviceMemory memory(64);
  use(1);
  EXPECT_CUDA(cudaMemsetAsync(memory.get(), 0, 64, stream));
  EXPECT_CUDA(cudaStreamSynchronize(stream));
}

// The same: cudaEventRecord will fail if event and stream are associated to different devices.
TEST_F(TwoDevices, AnEventIsRecordedOnItsOwn) {
  Event event;
  use(1);
  Stream stream;
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventRecord(event, stream));
}

// The same: cudaEventElapsedTime will fail if the two events are associated to different devices.
TEST_F(TwoDevices, NoTimeIsBetweenTheirEvents) {
  float ms = 0;
  Event zero;
  ASSERT_CUDA(cudaEventRecord(zero));
  use(1);
  Event one;
  ASSERT_CUDA(cudaEventRecord(one));
  ASSERT_CUDA(cudaEventSynchronize(zero));
  ASSERT_CUDA(cudaEventSynchronize(one));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, zero, one));
}

// The same: cudaEventSynchronize and cudaEventQuery, and cudaStreamWaitEvent too, will succeed even if the event is
// associated to a device that is different from the current one.
TEST_F(TwoDevices, AStreamWaitsForAnEventOfTheOther) {
  Stream producer;
  Event produced;
  ASSERT_CUDA(spin_on(producer, kShort));
  ASSERT_CUDA(cudaEventRecord(produced, producer));
  use(1);
  Stream consumer;
  ASSERT_CUDA(cudaStreamWaitEvent(consumer, produced, 0));
  ASSERT_CUDA(cudaStreamSynchronize(consumer));
  EXPECT_CUDA(cudaEventQuery(produced));
}

// The same: each device has its own default stream; commands issued to them may execute concurrently.
TEST_F(TwoDevices, DefaultStreamsAreIndependent) {
  ASSERT_CUDA(spin_on(nullptr, kLong));
  use(1);
  ASSERT_CUDA(spin_on(nullptr, 0ns));
  ASSERT_CUDA(cudaDeviceSynchronize());
  use(0);
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(nullptr));
  ASSERT_CUDA(cudaDeviceSynchronize());
}

// Runtime, cudaDeviceEnablePeerAccess: cudaErrorPeerAccessAlreadyEnabled; cudaDeviceDisablePeerAccess:
// cudaErrorPeerAccessNotEnabled. A device is not its own peer.
TEST_F(TwoDevices, PeerAccessIsSwitchedOnce) {
  int can = 1;
  ASSERT_CUDA(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT_EQ(0, can);
  EXPECT_EQ(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
  ASSERT_CUDA(cudaDeviceCanAccessPeer(&can, 0, 1));
  if (can == 0) GTEST_SKIP() << "no access between the devices";
  EXPECT_EQ(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  EXPECT_CUDA(cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_EQ(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_CUDA(cudaDeviceDisablePeerAccess(1));
  cudaGetLastError();
}

// Guide, "Peer-to-Peer Memory Copy": a copy between two devices does not start until all commands previously issued to
// either of them have completed; Runtime, cudaMemcpyPeer: it moves the data, and is asynchronous to the host.
TEST_F(TwoDevices, APeerCopyFollowsTheWorkOfBoth) {
  char bytes[64] = {};
  Event done;
  DeviceMemory source(64);
  ASSERT_CUDA(cudaMemset(source.get(), 0x5a, 64));
  ASSERT_CUDA(spin_on(nullptr, kShort));
  ASSERT_CUDA(cudaEventRecord(done));
  use(1);
  DeviceMemory destination(64);
  ASSERT_CUDA(cudaMemcpyPeer(destination.get(), 1, source.get(), 0, 64));
  ASSERT_CUDA(cudaMemcpy(bytes, destination.get(), 64, cudaMemcpyDeviceToHost));
  EXPECT_EQ(0x5a, bytes[63]);
  EXPECT_CUDA(cudaEventQuery(done));
  use(0);
}

// Runtime, cudaMemcpyPeerAsync: in the order of the given stream only.
TEST_F(TwoDevices, AnAsyncPeerCopyFollowsItsStream) {
  char bytes[64] = {};
  Stream stream(cudaStreamNonBlocking);
  DeviceMemory source(64);
  use(1);
  DeviceMemory destination(64);
  use(0);
  ASSERT_CUDA(cudaMemsetAsync(source.get(), 0x33, 64, stream));
  ASSERT_CUDA(cudaMemcpyPeerAsync(destination.get(), 1, source.get(), 0, 64, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  ASSERT_CUDA(cudaMemcpy(bytes, destination.get(), 64, cudaMemcpyDeviceToHost));
  EXPECT_EQ(0x33, bytes[0]);
}

}  // namespace
}  // namespace conformance
