// Building blocks of the conformance tests: owners of streams, events and memory, and ways to observe device work.
//
// The tests pass on the simulator and on a GPU. Each test quotes the sentence of NVIDIA's documentation that it checks,
// under these names:
//   Runtime, F     CUDA Runtime API reference, the page of function F
//   Sync           the same, "API synchronization behavior"
//   Stream sync    the same, "Stream synchronization behavior"
//   Guide, C       CUDA C++ Programming Guide, chapter C
//
// No test reads the host's clock, because the machine may be busy. "A waits for B" holds if B is done when A is. "A
// does not wait for B" holds if B is not done when A is; there B takes kLong, so that the test fails wrongly only if
// the host sleeps for all of that time. Durations are measured between events on the device. If several launches must
// be queued before the first of them starts, a Gate holds them back.
#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>

#include "spin.h"

#define ASSERT_CUDA(call) ASSERT_EQ(cudaSuccess, (call))
#define EXPECT_CUDA(call) EXPECT_EQ(cudaSuccess, (call))

namespace conformance {

using namespace std::chrono_literals;

constexpr auto kShort = 20ms;
constexpr auto kLong = 400ms;

// Bounds for the measured time of a kernel of `length`: a simulated duration jitters, and a real clock is quantised.
constexpr float at_least_ms(std::chrono::milliseconds length) { return 0.8F * static_cast<float>(length.count()); }
constexpr float at_most_ms(std::chrono::milliseconds length) { return 1.5F * static_cast<float>(length.count()); }

inline bool on_simulator() { return dlsym(RTLD_DEFAULT, "simgpu_announce") != nullptr; }

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamDefault) { EXPECT_CUDA(cudaStreamCreateWithFlags(&handle_, flags)); }
  ~Stream() { EXPECT_CUDA(cudaStreamDestroy(handle_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

class Event {
 public:
  explicit Event(unsigned flags = cudaEventDefault) { EXPECT_CUDA(cudaEventCreateWithFlags(&handle_, flags)); }
  ~Event() { EXPECT_CUDA(cudaEventDestroy(handle_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return handle_; }

 private:
  cudaEvent_t handle_ = nullptr;
};

class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) { EXPECT_CUDA(cudaMalloc(&base_, bytes)); }
  ~DeviceMemory() { EXPECT_CUDA(cudaFree(base_)); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  char* get() const { return static_cast<char*>(base_); }

 private:
  void* base_ = nullptr;
};

class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes) { EXPECT_CUDA(cudaMallocHost(&base_, bytes)); }
  ~PinnedMemory() { EXPECT_CUDA(cudaFreeHost(base_)); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  char* get() const { return static_cast<char*>(base_); }

 private:
  void* base_ = nullptr;
};

inline float ms_between(const Event& from, const Event& to) {
  float ms = -1;
  EXPECT_CUDA(cudaEventSynchronize(to));
  EXPECT_CUDA(cudaEventElapsedTime(&ms, from, to));
  return ms;
}

// Holds streams back for kLong. All that a test queues on them in that time starts together on the device.
class Gate {
 public:
  Gate() {
    EXPECT_CUDA(spin_on(stream_, kLong));
    EXPECT_CUDA(cudaEventRecord(open_, stream_));
  }
  void hold(cudaStream_t stream) { EXPECT_CUDA(cudaStreamWaitEvent(stream, open_, 0)); }
  const Event& opening() const { return open_; }

 private:
  Stream stream_{cudaStreamNonBlocking};
  Event open_;
};

}  // namespace conformance
