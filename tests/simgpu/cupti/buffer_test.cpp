// The protocol of activity buffers: they are requested, filled, returned and flushed; dropped records are counted.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "cupti_client.h"

using namespace cupti_test;

using Buffers = CuptiTest;

// cuptiActivityFlushAll: "CUPTI_ERROR_INVALID_OPERATION if not preceded by a successful call to
// cuptiActivityRegisterCallbacks".
TEST(UnregisteredClient, CannotFlush) {
  ASSERT_CUDA(cudaFree(nullptr));
  EXPECT_EQ(CUPTI_ERROR_INVALID_OPERATION, cuptiActivityFlushAll(0));
}

// cuptiActivityRegisterCallbacks: "CUPTI_ERROR_INVALID_PARAMETER if either funcBufferRequested or funcBufferCompleted
// is NULL".
TEST(UnregisteredClient, MustNameBothCallbacks) {
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER, cuptiActivityRegisterCallbacks(nullptr, nullptr));
}

// cuptiActivityFlushAll: "It doesn't return buffers which have one or more incomplete records."
TEST_F(Buffers, OfAnUnfinishedKernelAreWithheld) {
  enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  spin(kLong);
  EXPECT_CUPTI(cuptiActivityFlushAll(0));
  EXPECT_TRUE(client().kernels().empty());
  synchronize_and_flush();
  ASSERT_EQ(1u, client().kernels().size());
  EXPECT_NE(0u, client().kernels()[0].start);
}

// cuptiActivityFlushAll: "it returns all the activity buffers including the ones which have one or more incomplete
// activity records"; "This is a blocking call but it doesn't issue any CUDA synchronization calls implicitly".
TEST_F(Buffers, AreAllReturnedByAForcedFlush) {
  enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  spin(kLong);
  EXPECT_CUPTI(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(nullptr));
  ASSERT_EQ(1u, client().kernels().size());
  EXPECT_EQ(0u, client().kernels()[0].end);
  synchronize_and_flush();
  EXPECT_EQ(1u, client().kernels().size());
}

// Not documented; seen on an H100 with CUDA 13.0 Update 1 (docs/gpu-acceptance.md).
TEST_F(Buffers, HaveAllBitsInTheStartOfACopyThatAForcedFlushTakesBeforeItStarts) {
  enable(CUPTI_ACTIVITY_KIND_MEMCPY);
  spin(kLong);
  EXPECT_CUDA(cudaMemcpyAsync(memory_, static_cast<char*>(memory_) + 4096, 16, cudaMemcpyDeviceToDevice, nullptr));
  EXPECT_CUPTI(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
  const auto copies = client().all<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
  ASSERT_EQ(1u, copies.size());
  EXPECT_EQ(UINT64_MAX, copies[0].start);
  EXPECT_EQ(0u, copies[0].end);
}

// CUpti_BuffersCallbackRequestFunc: "If > 0 the buffer is filled with at most that many records before it is returned."
TEST_F(Buffers, HoldNoMoreRecordsThanTheClientWants) {
  client().most_records = 2;
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  for (int i = 0; i < 5; ++i) set_memory();
  synchronize_and_flush();
  EXPECT_EQ(5u, client().kinds().size());
  for (const std::size_t count : client().records_in_buffers()) EXPECT_LE(count, 2u);
}

// CUpti_BuffersCallbackRequestFunc: "The callback function can decline the request by setting *buffer to NULL. In this
// case CUPTI may drop activity records." cuptiActivityGetNumDroppedRecords: "The dropped count maintained for the queue
// is reset to zero when this function is called."
TEST_F(Buffers, ThatAreDeclinedCostRecordsWhichAreCounted) {
  client().declines = true;
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  for (int i = 0; i < 3; ++i) set_memory();
  synchronize_and_flush();
  std::size_t dropped = 0;
  EXPECT_CUPTI(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped));
  EXPECT_EQ(3u, dropped);
  EXPECT_CUPTI(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped));
  EXPECT_EQ(0u, dropped);
  EXPECT_TRUE(client().kinds().empty());
}

// cuptiActivityGetNumDroppedRecords: "because the CUpti_BuffersCallbackRequestFunc callback did not return an empty
// buffer of sufficient size".
TEST_F(Buffers, ThatAreTooSmallCostRecordsWhichAreCounted) {
  client().buffer_bytes = 16;
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  set_memory();
  synchronize_and_flush();
  std::size_t dropped = 0;
  EXPECT_CUPTI(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped));
  EXPECT_EQ(1u, dropped);
}

// cuptiActivityFlushPeriod: "Periodic flush can return only those activity buffers which are full and have all the
// activity records completed."
TEST_F(Buffers, ThatAreFullComeBackWithoutAFlush) {
  client().most_records = 4;
  EXPECT_CUPTI(cuptiActivityFlushPeriod(5));
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  for (int i = 0; i < 9; ++i) set_memory();
  EXPECT_CUDA(cudaDeviceSynchronize());
  ASSERT_TRUE(client().wait_for_buffers(2));
  EXPECT_EQ(8u, client().kinds().size());
  EXPECT_CUPTI(cuptiActivityFlushPeriod(0));
}

// CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER: "Set this value before returning from
// CUpti_BuffersCallbackRequestFunc": a client calls CUPTI from its callbacks.
TEST_F(Buffers, CanBeHandledByCallbacksThatCallCupti) {
  client().on_request = [] {
    std::uint8_t zeroed = 0;
    std::size_t size = sizeof zeroed;
    EXPECT_CUPTI(cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed));
  };
  client().on_complete = [] {
    std::uint64_t now = 0;
    EXPECT_CUPTI(cuptiGetTimestamp(&now));
  };
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  set_memory();
  synchronize_and_flush();
  EXPECT_EQ(1u, client().kinds().size());
}

// cuptiActivityFlushAll: "Default flush can be done at a regular interval in a separate thread."
TEST_F(Buffers, LoseNothingBetweenThreads) {
  client().buffer_bytes = 2000;
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  enable(CUPTI_ACTIVITY_KIND_RUNTIME);
  constexpr int kThreads = 4, kCalls = 500;
  std::atomic<bool> done{false};
  std::thread flusher([&] {
    while (!done) EXPECT_CUPTI(cuptiActivityFlushAll(0));
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < kCalls; ++call) set_memory(cudaStreamPerThread);
    });
  }
  for (auto& thread : threads) thread.join();
  done = true;
  flusher.join();
  synchronize_and_flush();
  const auto sets = client().all<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
  EXPECT_EQ(static_cast<std::size_t>(kThreads * kCalls), sets.size());
  const auto calls = client().runtime_calls();
  EXPECT_EQ(kThreads * kCalls, std::count_if(calls.begin(), calls.end(), [](auto& call) {
              return call.cbid == CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020;
            }));
}

// A child that was forked after CUPTI was used gets nothing from it, and does not deliver its parent's buffers.
TEST_F(Buffers, SimulatedStayWithTheParentOfAFork) {
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  set_memory();
  const pid_t child = fork();
  if (child == 0) {
    const bool inert = cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY) == CUPTI_ERROR_NOT_INITIALIZED &&
                       cuptiActivityFlushAll(1) == CUPTI_ERROR_NOT_INITIALIZED && client().kinds().empty();
    std::_Exit(inert ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, WEXITSTATUS(status));
  synchronize_and_flush();
  EXPECT_EQ(1u, client().kinds().size());
}

// cuptiActivityGetNextRecord: "CUPTI_ERROR_MAX_LIMIT_REACHED if no more records in the buffer",
// "CUPTI_ERROR_INVALID_PARAMETER if buffer is NULL", "CUPTI_ERROR_INVALID_KIND if activity record is either incomplete
// or invalid".
TEST(NextRecord, SaysWhyThereIsNone) {
  alignas(8) std::uint8_t buffer[64] = {};
  CUpti_Activity* record = nullptr;
  EXPECT_EQ(CUPTI_ERROR_MAX_LIMIT_REACHED, cuptiActivityGetNextRecord(buffer, 0, &record));
  EXPECT_EQ(CUPTI_ERROR_INVALID_KIND, cuptiActivityGetNextRecord(buffer, sizeof buffer, &record));
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER, cuptiActivityGetNextRecord(nullptr, sizeof buffer, &record));
}

// CUpti_ActivityAttribute: "The default value is 3200000", "The default value is 250"; cuptiActivityGetAttribute:
// "Indicates that the value buffer is too small to hold the attribute value."
TEST_F(Buffers, HaveTheDocumentedAttributes) {
  std::size_t value = 0;
  std::size_t size = sizeof value;
  EXPECT_CUPTI(cuptiActivityGetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, &size, &value));
  EXPECT_EQ(3200000u, value);
  EXPECT_CUPTI(cuptiActivityGetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, &size, &value));
  EXPECT_EQ(250u, value);
  value = 300;
  EXPECT_CUPTI(cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, &size, &value));
  value = 0;
  EXPECT_CUPTI(cuptiActivityGetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, &size, &value));
  EXPECT_EQ(300u, value);
  size = 1;
  EXPECT_EQ(CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT,
            cuptiActivityGetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, &size, &value));
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER,
            cuptiActivityGetAttribute(static_cast<CUpti_ActivityAttribute>(999), &size, &value));
}
