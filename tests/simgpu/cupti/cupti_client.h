// A minimal client of CUPTI's activity API: hands out buffers and keeps a copy of every record.
//
// The tests pass on the simulator and on a GPU. Each runs in its own process, because CUPTI's state belongs to the
// process. A test quotes the sentence that it checks, with the function or type of the CUPTI reference that it is from.
// Tests of what only the simulator promises have Simulated in their names.
#pragma once

#include <cuda_runtime_api.h>
#include <cupti.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "../conformance/spin.h"

#define EXPECT_CUDA(call) EXPECT_EQ(cudaSuccess, (call))
#define ASSERT_CUDA(call) ASSERT_EQ(cudaSuccess, (call))
#define EXPECT_CUPTI(call) EXPECT_EQ(CUPTI_SUCCESS, (call))
#define ASSERT_CUPTI(call) ASSERT_EQ(CUPTI_SUCCESS, (call))

namespace cupti_test {

using namespace std::chrono_literals;

constexpr auto kLong = 400ms;
constexpr auto kGivingUp = 20s;

struct Record {
  CUpti_ActivityKind kind;
  std::vector<std::uint8_t> bytes;
};

class Client {
 public:
  // Settings for requests of buffers.
  std::size_t buffer_bytes = 1 << 20;
  std::size_t most_records = 0;
  bool declines = false;
  void (*on_request)() = nullptr;
  void (*on_complete)() = nullptr;

  static Client& get() {
    static Client client;
    return client;
  }

  // Restores the initial settings and drops all records.
  void reset() {
    buffer_bytes = 1 << 20;
    most_records = 0;
    declines = false;
    on_request = on_complete = nullptr;
    const std::lock_guard lock(mutex_);
    records_.clear();
    counts_.clear();
  }

  CUptiResult register_callbacks() { return cuptiActivityRegisterCallbacks(requested, completed); }

  // All delivered records of `kind`, as Struct.
  template <typename Struct>
  std::vector<Struct> all(CUpti_ActivityKind kind) {
    const std::lock_guard lock(mutex_);
    std::vector<Struct> found;
    for (const Record& record : records_) {
      if (record.kind != kind) continue;
      Struct& copy = found.emplace_back();
      std::memcpy(static_cast<void*>(&copy), record.bytes.data(), sizeof copy);
    }
    return found;
  }

  std::vector<CUpti_ActivityKernel10> kernels() {
    return all<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  }
  std::vector<CUpti_ActivityAPI> runtime_calls() { return all<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME); }

  std::vector<CUpti_ActivityKind> kinds() {
    const std::lock_guard lock(mutex_);
    std::vector<CUpti_ActivityKind> kinds;
    for (const Record& record : records_) kinds.push_back(record.kind);
    return kinds;
  }

  // The number of records in each delivered buffer.
  std::vector<std::size_t> records_in_buffers() {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

  bool wait_for_buffers(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kGivingUp, [&] { return counts_.size() >= count; });
  }

 private:
  static void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    Client& client = get();
    if (client.on_request) client.on_request();
    *buffer = client.declines ? nullptr : static_cast<std::uint8_t*>(std::aligned_alloc(8, client.buffer_bytes));
    *size = client.buffer_bytes;
    *most_records = client.most_records;
  }

  static void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    if (get().on_complete) get().on_complete();
    get().keep(buffer, valid);
    std::free(buffer);
  }

  void keep(std::uint8_t* buffer, std::size_t valid) {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint8_t*> places;
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
      places.push_back(reinterpret_cast<std::uint8_t*>(record));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::uint8_t* end = i + 1 < places.size() ? places[i + 1] : buffer + valid;
      records_.push_back({reinterpret_cast<CUpti_Activity*>(places[i])->kind, {places[i], end}});
    }
    counts_.push_back(places.size());
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Record> records_;
  std::vector<std::size_t> counts_;
};

// Registers the client before each test, and disables all that the test enabled after it.
class CuptiTest : public testing::Test {
 protected:
  void SetUp() override {
    client().reset();
    ASSERT_CUPTI(client().register_callbacks());
    ASSERT_CUDA(cudaMalloc(&memory_, kBytes));
    ASSERT_CUDA(cudaDeviceSynchronize());
  }

  void TearDown() override {
    for (const CUpti_ActivityKind kind : enabled_) cuptiActivityDisable(kind);
    cuptiActivityDisable(CUPTI_ACTIVITY_KIND_RUNTIME);  // and the functions that were enabled by their ids
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    EXPECT_CUDA(cudaFree(memory_));
  }

  static constexpr std::size_t kBytes = 1 << 20;
  static Client& client() { return Client::get(); }

  void enable(CUpti_ActivityKind kind) {
    EXPECT_CUPTI(cuptiActivityEnable(kind));
    enabled_.push_back(kind);
  }

  // Queues a short piece of device work.
  void set_memory(cudaStream_t stream = nullptr) { EXPECT_CUDA(cudaMemsetAsync(memory_, 7, kBytes, stream)); }
  void spin(std::chrono::nanoseconds length, cudaStream_t stream = nullptr) {
    EXPECT_CUDA(conformance::spin_on(stream, length));
  }

  void synchronize_and_flush() {
    EXPECT_CUDA(cudaDeviceSynchronize());
    EXPECT_CUPTI(cuptiActivityFlushAll(0));
  }

  void* memory_ = nullptr;

 private:
  std::vector<CUpti_ActivityKind> enabled_;
};

}  // namespace cupti_test
