// The callback API: the one subscriber, API callbacks, resource and synchronize domains.
#include "cupti_client.h"

using namespace cupti_test;

namespace {

struct Seen {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId cbid;
  CUpti_CallbackData call;  // of the API domains
  std::uint64_t scratch = 0;
  int result = -1;
};

std::vector<Seen> seen;

void CUPTIAPI note(void*, CUpti_CallbackDomain domain, CUpti_CallbackId cbid, const void* data) {
  Seen& callback = seen.emplace_back(Seen{domain, cbid, {}});
  if (domain != CUPTI_CB_DOMAIN_RUNTIME_API && domain != CUPTI_CB_DOMAIN_DRIVER_API) return;
  callback.call = *static_cast<const CUpti_CallbackData*>(data);
  if (callback.call.callbackSite == CUPTI_API_ENTER) {
    *callback.call.correlationData = 99;
  } else {
    callback.scratch = *callback.call.correlationData;
    callback.result = *static_cast<int*>(callback.call.functionReturnValue);
  }
}

}  // namespace

class Callbacks : public CuptiTest {
 protected:
  void SetUp() override {
    CuptiTest::SetUp();
    ASSERT_CUPTI(cuptiSubscribe(&subscriber_, note, nullptr));
    seen.clear();
  }
  void TearDown() override {
    cuptiUnsubscribe(subscriber_);
    CuptiTest::TearDown();
  }
  void enable_call(CUpti_CallbackId cbid) {
    EXPECT_CUPTI(cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API, cbid));
  }
  void enable_domain(CUpti_CallbackDomain domain) { EXPECT_CUPTI(cuptiEnableDomain(1, subscriber_, domain)); }

  CUpti_SubscriberHandle subscriber_ = nullptr;
};

// cuptiSubscribe: "Only a single subscriber can be registered at a time."
TEST_F(Callbacks, HaveOneSubscriber) {
  CUpti_SubscriberHandle other = nullptr;
  EXPECT_EQ(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, cuptiSubscribe(&other, note, nullptr));
  EXPECT_CUPTI(cuptiUnsubscribe(subscriber_));
  EXPECT_CUPTI(cuptiSubscribe(&other, note, nullptr));
  subscriber_ = other;
}

// CUpti_SubscriberParams: "In case of CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED return code, the name of the
// incompatible tool or the existing CUPTI subscriber will be written to this location"; "CUPTI library automatically
// adds it as "CUPTI for <subscriberName>"".
TEST_F(Callbacks, NameTheirSubscriberToTheSecond) {
  EXPECT_CUPTI(cuptiUnsubscribe(subscriber_));
  CUpti_SubscriberParams params{CUpti_SubscriberParams_STRUCT_SIZE, "first", nullptr, 0};
  EXPECT_CUPTI(cuptiSubscribe_v2(&subscriber_, note, nullptr, &params));
  char old[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN] = "";
  CUpti_SubscriberParams second{CUpti_SubscriberParams_STRUCT_SIZE, "second", old, sizeof old};
  CUpti_SubscriberHandle other = nullptr;
  EXPECT_EQ(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, cuptiSubscribe_v2(&other, note, nullptr, &second));
  EXPECT_STREQ("CUPTI for first", old);
}

// cuptiSubscribe: "This function does not enable any callbacks."
TEST_F(Callbacks, AreDisabledAtFirst) {
  set_memory();
  EXPECT_CUDA(cudaDeviceSynchronize());
  EXPECT_TRUE(seen.empty());
}

// CUpti_CallbackData: "Point in the runtime or driver function from where the callback was issued", "Name of the
// runtime or driver API function which issued the callback", "This field can be used to pass 64-bit values from the
// entry callback to the corresponding exit callback".
TEST_F(Callbacks, SurroundACall) {
  enable_call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020);
  set_memory();
  ASSERT_EQ(2u, seen.size());
  EXPECT_EQ(CUPTI_API_ENTER, seen[0].call.callbackSite);
  EXPECT_EQ(CUPTI_API_EXIT, seen[1].call.callbackSite);
  EXPECT_STREQ("cudaMemsetAsync", seen[0].call.functionName);
  EXPECT_EQ(99u, seen[1].scratch);
  EXPECT_EQ(cudaSuccess, seen[1].result);
  EXPECT_EQ(seen[0].call.correlationId, seen[1].call.correlationId);
  std::uint32_t context = 0;
  EXPECT_CUPTI(cuptiGetContextId(seen[0].call.context, &context));
  EXPECT_EQ(context, seen[0].call.contextUid);
}

// CUpti_CallbackData: "For a runtime API functionReturnValue points to a cudaError_t."
TEST_F(Callbacks, TellOfAFailure) {
  enable_call(CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020);
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(1000));
  cudaGetLastError();
  ASSERT_EQ(2u, seen.size());
  EXPECT_EQ(cudaErrorInvalidDevice, seen[1].result);
}

// CUpti_CallbackData: "this ID will equal the correlation ID in the CUpti_ActivityAPI record corresponding to the CUDA
// runtime function call".
TEST_F(Callbacks, CorrelateWithRecords) {
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  enable_call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020);
  set_memory();
  synchronize_and_flush();
  const auto sets = client().all<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
  ASSERT_EQ(1u, sets.size());
  EXPECT_EQ(seen.at(0).call.correlationId, sets[0].correlationId);
}

// cuptiActivityDisableContext: "This setting done by this API will supersede the global settings for activity records."
TEST_F(Callbacks, TellTheContextThatRecordsCanBeRestrictedTo) {
  enable_call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020);
  set_memory();
  ASSERT_EQ(2u, seen.size());
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  EXPECT_CUPTI(cuptiActivityDisableContext(seen[0].call.context, CUPTI_ACTIVITY_KIND_MEMSET));
  set_memory();
  EXPECT_CUPTI(cuptiActivityEnableContext(seen[0].call.context, CUPTI_ACTIVITY_KIND_MEMSET));
  set_memory();
  synchronize_and_flush();
  EXPECT_EQ(1u, client().kinds().size());
  EXPECT_CUPTI(cuptiActivityDisableContext(seen[0].call.context, CUPTI_ACTIVITY_KIND_MEMSET));
}

// CUpti_CallbackData: symbolName "is valid only for driver and runtime launch callbacks, where it returns the name of
// the kernel".
TEST_F(Callbacks, OfLaunchesNameTheKernel) {
  enable_domain(CUPTI_CB_DOMAIN_RUNTIME_API);
  spin(1us);
  const auto launch = std::find_if(seen.begin(), seen.end(), [](const Seen& callback) {
    return callback.call.symbolName && std::strstr(callback.call.symbolName, "spin");
  });
  EXPECT_NE(seen.end(), launch);
}

// cuptiUnsubscribe: "no future callbacks will be issued to that subscriber"; "CUPTI_ERROR_INVALID_PARAMETER if
// subscriber is NULL or not initialized".
TEST_F(Callbacks, EndWithTheSubscription) {
  enable_domain(CUPTI_CB_DOMAIN_RUNTIME_API);
  EXPECT_CUPTI(cuptiUnsubscribe(subscriber_));
  set_memory();
  EXPECT_TRUE(seen.empty());
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER, cuptiUnsubscribe(nullptr));
}

// cuptiGetCallbackState: "Returns non-zero in *enable if the callback for a domain and callback ID is enabled, and zero
// if not enabled."
TEST_F(Callbacks, ShowTheirState) {
  std::uint32_t enabled = 7;
  const CUpti_CallbackId cbid = CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020;
  EXPECT_CUPTI(cuptiGetCallbackState(&enabled, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API, cbid));
  EXPECT_EQ(0u, enabled);
  enable_call(cbid);
  EXPECT_CUPTI(cuptiGetCallbackState(&enabled, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API, cbid));
  EXPECT_NE(0u, enabled);
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER,
            cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE));
}

// cuptiGetCallbackName: "Names are available only for the DRIVER and RUNTIME domains."
TEST_F(Callbacks, HaveNames) {
  const char* name = nullptr;
  EXPECT_CUPTI(
      cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, &name));
  EXPECT_STREQ("cudaLaunchKernel_v7000", name);
  EXPECT_CUPTI(cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuInit, &name));
  EXPECT_STREQ("cuInit", name);
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER, cuptiGetCallbackName(CUPTI_CB_DOMAIN_RESOURCE, 1, &name));
}

// CUPTI_CBID_RESOURCE_STREAM_CREATED: "A new stream has been created"; CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING: "A
// stream is about to be destroyed."
TEST_F(Callbacks, FollowStreams) {
  enable_domain(CUPTI_CB_DOMAIN_RESOURCE);
  cudaStream_t stream = nullptr;
  EXPECT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  EXPECT_CUDA(cudaStreamDestroy(stream));
  std::vector<CUpti_CallbackId> ids;
  for (const Seen& callback : seen) ids.push_back(callback.cbid);
  EXPECT_EQ(1, std::count(ids.begin(), ids.end(), CUPTI_CBID_RESOURCE_STREAM_CREATED));
  EXPECT_EQ(1, std::count(ids.begin(), ids.end(), CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING));
}

// CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED: "Stream synchronization has completed for the stream."
TEST_F(Callbacks, FollowSynchronisation) {
  enable_domain(CUPTI_CB_DOMAIN_SYNCHRONIZE);
  EXPECT_CUDA(cudaStreamSynchronize(nullptr));
  ASSERT_EQ(1u, seen.size());
  EXPECT_EQ(CUPTI_CB_DOMAIN_SYNCHRONIZE, seen[0].domain);
  EXPECT_EQ(CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED, seen[0].cbid);
}

// cuptiFinalize: "After CUPTI detaches from the process, the process will keep on running with no CUPTI attached to
// it"; "it is recommended this API is invoked from the exit callsite of any of the CUDA Driver or Runtime API".
TEST_F(Callbacks, CanDetachCupti) {
  EXPECT_CUPTI(cuptiUnsubscribe(subscriber_));
  const auto detach = [](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void* data) {
    if (static_cast<const CUpti_CallbackData*>(data)->callbackSite == CUPTI_API_ENTER) return;
    EXPECT_CUPTI(cuptiFinalize());
  };
  EXPECT_CUPTI(cuptiSubscribe(&subscriber_, detach, nullptr));
  enable(CUPTI_ACTIVITY_KIND_MEMSET);
  enable_call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020);
  set_memory();
  set_memory();
  EXPECT_CUDA(cudaDeviceSynchronize());
}

// cuptiGetResultString: "CUPTI_ERROR_INVALID_PARAMETER if str is NULL or result is not a valid CUptiResult";
// cuptiGetLastError: "Returns the last error ... and resets it to CUPTI_SUCCESS".
TEST(Results, HaveNames) {
  const char* name = nullptr;
  EXPECT_CUPTI(cuptiGetResultString(CUPTI_ERROR_MAX_LIMIT_REACHED, &name));
  EXPECT_STREQ("CUPTI_ERROR_MAX_LIMIT_REACHED", name);
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER, cuptiGetResultString(static_cast<CUptiResult>(4711), &name));
}

// cuptiSupportedDomains: "Returns in *domainTable an array of size *domainCount of all the available callback domains."
TEST_F(Callbacks, HaveDomains) {
  std::size_t count = 0;
  CUpti_DomainTable domains = nullptr;
  EXPECT_CUPTI(cuptiSupportedDomains(&count, &domains));
  EXPECT_NE(domains + count, std::find(domains, domains + count, CUPTI_CB_DOMAIN_RUNTIME_API));
}
