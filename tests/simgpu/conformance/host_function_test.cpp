// Host functions in a stream: when they run, what waits for them, and what they may do.
#include <atomic>
#include <thread>
#include <vector>

#include "device_objects.h"

namespace conformance {
namespace {

void CUDART_CB raise_flag(void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }

void CUDART_CB sleep_and_raise_flag(void* flag) {
  std::this_thread::sleep_for(50ms);
  raise_flag(flag);
}

// Runtime, cudaLaunchHostFunc: the function will be called after currently enqueued work.
TEST(HostFunction, RunsAfterTheWorkBeforeIt) {
  Stream stream;
  std::atomic<bool> ran{false};
  ASSERT_CUDA(spin_on(stream, kLong));
  ASSERT_CUDA(cudaLaunchHostFunc(stream, raise_flag, &ran));
  EXPECT_FALSE(ran);
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_TRUE(ran);
}

// The same: it will block work added after it.
TEST(HostFunction, HoldsBackTheWorkAfterIt) {
  Stream stream;
  Event after;
  std::atomic<bool> ran{false};
  ASSERT_CUDA(cudaLaunchHostFunc(stream, sleep_and_raise_flag, &ran));
  ASSERT_CUDA(spin_on(stream, 0ns));
  ASSERT_CUDA(cudaEventRecord(after, stream));
  ASSERT_CUDA(cudaEventSynchronize(after));
  EXPECT_TRUE(ran);
}

struct Entry {
  std::vector<int>* order;
  int number;
};

void CUDART_CB note(void* entry) {
  const auto* one = static_cast<Entry*>(entry);
  one->order->push_back(one->number);
}

// The same: functions of one stream have a mandated order.
TEST(HostFunction, RunInTheOrderOfTheirStream) {
  Stream stream;
  std::vector<int> order;
  Entry entries[] = {{&order, 0}, {&order, 1}, {&order, 2}};
  for (Entry& entry : entries) {
    ASSERT_CUDA(spin_on(stream, 1ms));
    ASSERT_CUDA(cudaLaunchHostFunc(stream, note, &entry));
  }
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ((std::vector<int>{0, 1, 2}), order);
}

// The same: the start of the function has the effect of synchronizing an event recorded immediately prior to it, so
// the data of a copy before it are there.
TEST(HostFunction, SeesTheCopyBeforeIt) {
  struct Sight {
    PinnedMemory memory{64};
    char seen = 0;
  } sight;
  Stream stream;
  DeviceMemory device(64);
  ASSERT_CUDA(cudaMemsetAsync(device.get(), 0x5a, 64, stream));
  ASSERT_CUDA(cudaMemcpyAsync(sight.memory.get(), device.get(), 64, cudaMemcpyDeviceToHost, stream));
  ASSERT_CUDA(cudaLaunchHostFunc(
      stream, [](void* data) { static_cast<Sight*>(data)->seen = static_cast<Sight*>(data)->memory.get()[63]; },
      &sight));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(0x5a, sight.seen);
}

// The same: must not make any CUDA API calls; attempting to may result in cudaErrorNotPermitted, but this is not
// required. The call must return, whatever its result.
TEST(HostFunction, MayBeRefusedCudaCalls) {
  Stream stream;
  std::atomic<int> result{-1};
  ASSERT_CUDA(cudaLaunchHostFunc(
      stream,
      [](void* out) {
        std::size_t unused = 0, total = 0;
        static_cast<std::atomic<int>*>(out)->store(cudaMemGetInfo(&unused, &total));
      },
      &result));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_TRUE(result == cudaSuccess || result == cudaErrorNotPermitted) << result;
}

// Runtime, cudaStreamAddCallback: a callback will be executed exactly once and may be passed cudaSuccess.
TEST(StreamCallback, RunsOnceWithTheStreamsStatus) {
  struct Calls {
    std::atomic<int> count{0};
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
  } calls;
  Stream stream;
  ASSERT_CUDA(spin_on(stream, kShort));
  ASSERT_CUDA(cudaStreamAddCallback(
      stream,
      [](cudaStream_t where, cudaError_t status, void* data) {
        auto* seen = static_cast<Calls*>(data);
        seen->count++;
        seen->stream = where;
        seen->status = status;
      },
      &calls, 0));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(1, calls.count);
  EXPECT_EQ(stream, calls.stream);
  EXPECT_EQ(cudaSuccess, calls.status);
}

// Runtime, cudaLaunchHostFunc: cudaErrorInvalidValue.
TEST(HostFunction, NeedsAFunction) {
  Stream stream;
  EXPECT_EQ(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, nullptr, nullptr));
}

}  // namespace
}  // namespace conformance
