// Which activity records are made, and what they contain.
#include <unistd.h>

#include "cupti_client.h"

using namespace cupti_test;

namespace {

std::uint32_t stream_id(cudaStream_t stream) {
  std::uint32_t id = 0;
  EXPECT_CUPTI(cuptiGetStreamIdEx(nullptr, stream, 0, &id));
  return id;
}

}  // namespace

class Records : public CuptiTest {
 protected:
  void SetUp() override {
    CuptiTest::SetUp();
    ASSERT_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ASSERT_CUDA(cudaMallocHost(&pinned_, kBytes));
  }
  void TearDown() override {
    EXPECT_CUDA(cudaFreeHost(pinned_));
    EXPECT_CUDA(cudaStreamDestroy(stream_));
    CuptiTest::TearDown();
  }

  // The calls of one runtime function.
  void enable_call(CUpti_CallbackId cbid) {
    enable(CUPTI_ACTIVITY_KIND_RUNTIME);
    for (CUpti_CallbackId other = 1; other < CUPTI_RUNTIME_TRACE_CBID_SIZE; ++other)
      if (other != cbid) cuptiActivityEnableRuntimeApi(other, 0);
  }

  cudaGraphExec_t spinning_graph() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    EXPECT_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    spin(100us, stream_);
    spin(100us, stream_);
    EXPECT_CUDA(cudaStreamEndCapture(stream_, &graph));
    EXPECT_CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    EXPECT_CUDA(cudaGraphDestroy(graph));
    return exec;
  }

  cudaStream_t stream_ = nullptr;
  void* pinned_ = nullptr;
};

// CUpti_ActivityKernel10: "The name of the kernel", "The X-dimension grid size", "The ID of the stream where the kernel
// is executing", "The correlation ID of the kernel. Each kernel execution is assigned a unique correlation ID that is
// identical to the correlation ID in the driver or runtime API activity record that launched the kernel".
TEST_F(Records, OfKernelsTellWhoLaunchedWhatWhere) {
  enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  enable(CUPTI_ACTIVITY_KIND_RUNTIME);
  spin(1ms, stream_);
  synchronize_and_flush();
  ASSERT_EQ(1u, client().kernels().size());
  const CUpti_ActivityKernel10 kernel = client().kernels()[0];
  EXPECT_NE(nullptr, std::strstr(kernel.name, "spin"));
  EXPECT_EQ(1, kernel.gridX);
  EXPECT_EQ(1, kernel.blockX);
  EXPECT_EQ(0u, kernel.deviceId);
  EXPECT_EQ(stream_id(stream_), kernel.streamId);
  const auto calls = client().runtime_calls();
  EXPECT_EQ(1, std::count_if(calls.begin(), calls.end(),
                             [&](auto& call) { return call.correlationId == kernel.correlationId; }));
}

// CUpti_ActivityMemcpy6: "The kind of the memory copy", "The source memory kind read by the memory copy", "The flags
// associated with the memory copy", "The number of bytes transferred by the memory copy".
TEST_F(Records, OfCopiesTellKindsAndBytes) {
  enable(CUPTI_ACTIVITY_KIND_MEMCPY);
  EXPECT_CUDA(cudaMemcpyAsync(memory_, pinned_, 4096, cudaMemcpyHostToDevice, stream_));
  EXPECT_CUDA(cudaMemcpyAsync(pinned_, memory_, 8192, cudaMemcpyDeviceToHost, stream_));
  synchronize_and_flush();
  const auto copies = client().all<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
  ASSERT_EQ(2u, copies.size());
  EXPECT_EQ(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, copies[0].copyKind);
  EXPECT_EQ(CUPTI_ACTIVITY_MEMORY_KIND_PINNED, copies[0].srcKind);
  EXPECT_EQ(CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, copies[0].dstKind);
  EXPECT_EQ(CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC, copies[0].flags);
  EXPECT_EQ(4096u, copies[0].bytes);
  EXPECT_EQ(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, copies[1].copyKind);
  EXPECT_EQ(8192u, copies[1].bytes);
  EXPECT_EQ(stream_id(stream_), copies[1].streamId);
  EXPECT_EQ(1u, copies[1].copyCount);
}

// CUPTI_ACTIVITY_KIND_MEMCPY: "For peer to peer memory copy, use the kind CUPTI_ACTIVITY_KIND_MEMCPY2."
TEST_F(Records, OfPeerCopiesAreOfAKindOfTheirOwn) {
  int devices = 0;
  ASSERT_CUDA(cudaGetDeviceCount(&devices));
  if (devices < 2) GTEST_SKIP() << "needs two devices";
  void* there = nullptr;
  EXPECT_CUDA(cudaSetDevice(1));
  EXPECT_CUDA(cudaMalloc(&there, kBytes));
  EXPECT_CUDA(cudaSetDevice(0));
  enable(CUPTI_ACTIVITY_KIND_MEMCPY);
  enable(CUPTI_ACTIVITY_KIND_MEMCPY2);
  EXPECT_CUDA(cudaMemcpyPeerAsync(there, 1, memory_, 0, kBytes, stream_));
  synchronize_and_flush();
  EXPECT_TRUE(client().all<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY).empty());
  const auto copies = client().all<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
  ASSERT_EQ(1u, copies.size());
  EXPECT_EQ(0u, copies[0].srcDeviceId);
  EXPECT_EQ(1u, copies[0].dstDeviceId);
  EXPECT_NE(copies[0].srcContextId, copies[0].dstContextId);
  EXPECT_CUDA(cudaFree(there));
}

// CUpti_ActivityMemset4: "The value being assigned to memory by the memory set", "The number of bytes being set by the
// memory set".
TEST_F(Records, OfMemsetsTellValueAndBytes) {
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  set_memory(stream_);
  synchronize_and_flush();
  const auto sets = client().all<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
  ASSERT_EQ(1u, sets.size());
  EXPECT_EQ(7u, sets[0].value & 0xff);
  EXPECT_EQ(kBytes, sets[0].bytes);
}

// CUpti_ActivitySynchronization2: "The type of record"; the stream is "Not valid for cuCtxSynchronize,
// cuEventSynchronize".
TEST_F(Records, OfSynchronisationTellWhatWasWaitedFor) {
  cudaEvent_t event = nullptr;
  EXPECT_CUDA(cudaEventCreate(&event));
  enable(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  spin(1ms, stream_);
  EXPECT_CUDA(cudaEventRecord(event, stream_));
  EXPECT_CUDA(cudaStreamWaitEvent(nullptr, event, 0));
  EXPECT_CUDA(cudaEventSynchronize(event));
  EXPECT_CUDA(cudaStreamSynchronize(stream_));
  synchronize_and_flush();
  std::vector<CUpti_ActivitySynchronizationType> types;
  for (const auto& sync : client().all<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)) {
    types.push_back(sync.type);
    EXPECT_LE(sync.start, sync.end);
    if (sync.type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE) {
      EXPECT_EQ(stream_id(stream_), sync.streamId);
    }
    if (sync.type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE) {
      EXPECT_EQ(CUPTI_SYNCHRONIZATION_INVALID_VALUE, sync.streamId);
    }
  }
  const std::vector<CUpti_ActivitySynchronizationType> expected = {
      CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE,
      CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE};
  EXPECT_EQ(expected, types);
  EXPECT_CUDA(cudaEventDestroy(event));
}

// Seen on an H100, not documented.
TEST_F(Records, OfQueriesSynchroniseWithAnEventThatHasPassed) {
  cudaEvent_t event = nullptr;
  EXPECT_CUDA(cudaEventCreate(&event));
  enable(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  const auto count = [&] {
    return client().all<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION).size();
  };
  spin(100ms, stream_);
  EXPECT_CUDA(cudaEventRecord(event, stream_));
  EXPECT_EQ(cudaErrorNotReady, cudaEventQuery(event));
  EXPECT_CUDA(cudaStreamSynchronize(stream_));
  EXPECT_CUPTI(cuptiActivityFlushAll(0));
  ASSERT_EQ(1u, count());
  EXPECT_CUDA(cudaEventQuery(event));
  EXPECT_CUPTI(cuptiActivityFlushAll(0));
  ASSERT_EQ(2u, count());
  const auto records = client().all<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  EXPECT_EQ(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE, records.back().type);
  EXPECT_EQ(CUPTI_SYNCHRONIZATION_INVALID_VALUE, records.back().streamId);
  EXPECT_CUDA(cudaEventDestroy(event));
}

// CUpti_ActivityKernel10: "The unique ID of the graph that launched this kernel through graph launch APIs."
TEST_F(Records, OfGraphNodesNameTheirGraph) {
  const cudaGraphExec_t exec = spinning_graph();
  enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  EXPECT_CUDA(cudaGraphLaunch(exec, stream_));
  synchronize_and_flush();
  const auto kernels = client().kernels();
  ASSERT_EQ(2u, kernels.size());
  EXPECT_NE(0u, kernels[0].graphId);
  EXPECT_EQ(kernels[0].graphId, kernels[1].graphId);
  EXPECT_NE(kernels[0].graphNodeId, kernels[1].graphNodeId);
  EXPECT_CUDA(cudaGraphExecDestroy(exec));
}

// CUpti_ActivityGraphTrace2: "represents execution for a graph without giving visibility about the execution of its
// nodes. This is intended to reduce overheads in tracing each node."
TEST_F(Records, OfWholeGraphsReplaceThoseOfNodes) {
  const cudaGraphExec_t exec = spinning_graph();
  enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  enable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  EXPECT_CUDA(cudaGraphLaunch(exec, stream_));
  synchronize_and_flush();
  EXPECT_TRUE(client().kernels().empty());
  const auto graphs = client().all<CUpti_ActivityGraphTrace2>(CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  ASSERT_EQ(1u, graphs.size());
  EXPECT_GT(graphs[0].end - graphs[0].start, 100'000u);
  EXPECT_EQ(stream_id(stream_), graphs[0].streamId);
  EXPECT_CUDA(cudaGraphExecDestroy(exec));
}

// cuptiActivityEnableRuntimeApi: "to enable the collection of a small set of CUDA Runtime APIs, user can call this API
// without using the activity kind CUPTI_ACTIVITY_KIND_RUNTIME".
TEST(RecordsWithoutContext, OfCallsCanBeNarrowedToOneFunction) {
  Client& client = Client::get();
  ASSERT_CUPTI(client.register_callbacks());
  EXPECT_CUPTI(cuptiActivityEnableRuntimeApi(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020, 1));
  void* memory = nullptr;
  ASSERT_CUDA(cudaMalloc(&memory, 4096));
  EXPECT_CUDA(cudaMemsetAsync(memory, 7, 4096, nullptr));
  EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_CUPTI(cuptiActivityFlushAll(0));
  ASSERT_EQ(1u, client.runtime_calls().size());
  const CUpti_ActivityAPI call = client.runtime_calls()[0];
  EXPECT_EQ(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020, call.cbid);
  EXPECT_EQ(static_cast<std::uint32_t>(getpid()), call.processId);
  EXPECT_EQ(0u, call.returnValue);
  EXPECT_LE(call.start, call.end);
  EXPECT_CUDA(cudaFree(memory));
}

// Not documented; seen on an H100 with CUDA 13.0 Update 1 (docs/gpu-acceptance.md).
TEST_F(Records, OfCallsSelectedOneByOneAreNotMadeInContextsThatExist) {
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  EXPECT_CUPTI(cuptiActivityEnableRuntimeApi(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020, 1));
  set_memory(stream_);
  synchronize_and_flush();
  EXPECT_EQ(1u, client().all<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET).size());
  EXPECT_TRUE(client().runtime_calls().empty());
  enable(CUPTI_ACTIVITY_KIND_RUNTIME);
  set_memory(stream_);
  synchronize_and_flush();
  EXPECT_FALSE(client().runtime_calls().empty());
}

// The same: "Activity kind CUPTI_ACTIVITY_KIND_RUNTIME overrides the settings done by this API if it is called after
// the API."
TEST_F(Records, OfCallsFollowWhatWasSaidLast) {
  EXPECT_CUPTI(cuptiActivityEnableRuntimeApi(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020, 1));
  enable(CUPTI_ACTIVITY_KIND_RUNTIME);
  EXPECT_CUPTI(cuptiActivityEnableRuntimeApi(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020, 0));
  set_memory(stream_);
  EXPECT_CUDA(cudaStreamSynchronize(stream_));
  synchronize_and_flush();
  std::vector<CUpti_CallbackId> ids;
  for (const auto& call : client().runtime_calls()) ids.push_back(call.cbid);
  const std::vector<CUpti_CallbackId> expected = {CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020,
                                                  CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020};
  EXPECT_EQ(expected, ids);
}

// cuptiActivityDisable: "Disable collection of a specific kind of activity record."
TEST_F(Records, EndWithTheirKind) {
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  set_memory();
  EXPECT_CUPTI(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_MEMSET));
  set_memory();
  synchronize_and_flush();
  EXPECT_EQ(1u, client().kinds().size());
}

// cuptiActivityPushExternalCorrelationId: "the activity API record will be preceded by a
// CUpti_ActivityExternalCorrelation record for each CUpti_ExternalCorrelationKind".
TEST_F(Records, OfExternalIdsPrecedeTheCalls) {
  enable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
  enable_call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020);
  EXPECT_CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 41));
  EXPECT_CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 42));
  EXPECT_CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, 7));
  set_memory(stream_);
  std::uint64_t last = 0;
  EXPECT_CUPTI(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last));
  EXPECT_EQ(42u, last);
  EXPECT_CUPTI(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, nullptr));
  EXPECT_CUPTI(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, nullptr));
  set_memory(stream_);
  synchronize_and_flush();
  const auto ids = client().all<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
  const auto calls = client().runtime_calls();
  ASSERT_EQ(2u, calls.size());
  ASSERT_EQ(2u, ids.size());
  EXPECT_EQ(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, ids[0].externalKind);
  EXPECT_EQ(42u, ids[0].externalId);
  EXPECT_EQ(7u, ids[1].externalId);
  EXPECT_EQ(calls[0].correlationId, ids[0].correlationId);
  EXPECT_EQ(calls[0].correlationId, ids[1].correlationId);
  const auto kinds = client().kinds();
  const auto first_call = std::find(kinds.begin(), kinds.end(), CUPTI_ACTIVITY_KIND_RUNTIME);
  EXPECT_EQ(2, std::count(kinds.begin(), first_call, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION));
}

// cuptiActivityPopExternalCorrelationId: "CUPTI_ERROR_QUEUE_EMPTY No external id is currently associated with kind",
// "CUPTI_ERROR_INVALID_PARAMETER The external API kind is invalid".
TEST_F(Records, OfExternalIdsNeedAPush) {
  EXPECT_EQ(CUPTI_ERROR_QUEUE_EMPTY,
            cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_UNKNOWN, nullptr));
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER,
            cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_INVALID, 1));
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER,
            cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_SIZE, 1));
}

// CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM: "Linux uses syscall SYS_gettid".
TEST_F(Records, OfCallsNameTheThreadAsAsked) {
  EXPECT_CUPTI(cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM));
  CUpti_ActivityThreadIdType type{};
  EXPECT_CUPTI(cuptiGetThreadIdType(&type));
  EXPECT_EQ(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM, type);
  enable_call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020);
  pid_t other = 0;
  std::thread([&] {
    other = gettid();
    set_memory(stream_);
  }).join();
  synchronize_and_flush();
  ASSERT_EQ(1u, client().runtime_calls().size());
  EXPECT_EQ(static_cast<std::uint32_t>(other), client().runtime_calls()[0].threadId);
}

// cuptiActivityEnableAndDump: "For CUPTI_ACTIVITY_KIND_DEVICE, existing device records are dumped. For
// CUPTI_ACTIVITY_KIND_CONTEXT, existing context records are dumped".
TEST_F(Records, OfWhatExistsCanBeDumped) {
  EXPECT_CUPTI(cuptiActivityEnableAndDump(CUPTI_ACTIVITY_KIND_DEVICE));
  EXPECT_CUPTI(cuptiActivityEnableAndDump(CUPTI_ACTIVITY_KIND_CONTEXT));
  synchronize_and_flush();
  int count = 0;
  ASSERT_CUDA(cudaGetDeviceCount(&count));
  const auto devices = client().all<CUpti_ActivityDevice5>(CUPTI_ACTIVITY_KIND_DEVICE);
  ASSERT_EQ(static_cast<std::size_t>(count), devices.size());
  cudaDeviceProp properties;
  ASSERT_CUDA(cudaGetDeviceProperties(&properties, 0));
  EXPECT_STREQ(properties.name, devices[0].name);
  EXPECT_EQ(static_cast<std::uint32_t>(properties.multiProcessorCount), devices[0].numMultiprocessors);
  EXPECT_EQ(1u, client().all<CUpti_ActivityContext3>(CUPTI_ACTIVITY_KIND_CONTEXT).size());
}

// cuptiActivityEnableAndDump: "stream records are emitted on context and stream creation".
TEST_F(Records, OfStreamsComeWithTheirCreation) {
  enable(CUPTI_ACTIVITY_KIND_STREAM);
  cudaStream_t stream = nullptr;
  EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  synchronize_and_flush();
  const auto streams = client().all<CUpti_ActivityStream>(CUPTI_ACTIVITY_KIND_STREAM);
  ASSERT_EQ(1u, streams.size());
  EXPECT_EQ(stream_id(stream), streams[0].streamId);
  EXPECT_EQ(CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING, streams[0].flag);
  EXPECT_CUDA(cudaStreamDestroy(stream));
}

// cuptiActivityEnable: "CUPTI_ERROR_INVALID_KIND if the activity kind is not supported";
// CUPTI_ACTIVITY_KIND_PC_SAMPLING: "Enabling it will return the error code CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED."
TEST_F(Records, OfUnknownKindsAreRefused) {
  EXPECT_EQ(CUPTI_ERROR_INVALID_KIND, cuptiActivityEnable(CUPTI_ACTIVITY_KIND_INVALID));
  EXPECT_EQ(CUPTI_ERROR_INVALID_KIND, cuptiActivityEnable(CUPTI_ACTIVITY_KIND_COUNT));
  EXPECT_EQ(CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED, cuptiActivityEnable(CUPTI_ACTIVITY_KIND_PC_SAMPLING));
}

// cuptiGetStreamIdEx: "CUPTI_ERROR_INVALID_STREAM if unable to get stream ID"; cuptiGetContextId:
// "CUPTI_ERROR_INVALID_CONTEXT The context is NULL or not valid."
TEST_F(Records, HaveIdsOnlyOfWhatExists) {
  std::uint32_t id = 0;
  EXPECT_EQ(CUPTI_ERROR_INVALID_CONTEXT, cuptiGetContextId(nullptr, &id));
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER, cuptiGetStreamIdEx(nullptr, stream_, 0, nullptr));
  EXPECT_CUPTI(cuptiGetDeviceId(nullptr, &id));
  EXPECT_EQ(0u, id);
}
