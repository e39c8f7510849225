// The faults that SIMGPU_CUPTI_FAULTS injects, each in its own process, because the variable is read once.
#include "cupti_client.h"

using namespace cupti_test;

class SimulatedFaults : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void TearDown() override { unsetenv("SIMGPU_CUPTI_FAULTS"); }
  static void inject(const char* faults) { setenv("SIMGPU_CUPTI_FAULTS", faults, 1); }

  static CUptiResult subscribe() {
    CUpti_SubscriberHandle subscriber = nullptr;
    return cuptiSubscribe(
        &subscriber, [](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}, nullptr);
  }
  // Collects the records of one memset. Returns the number of dropped records, or -1 if a record arrived.
  static int dropped_of_one() {
    Client::get().register_callbacks();
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    void* memory = nullptr;
    cudaMalloc(&memory, 64);
    cudaMemset(memory, 0, 64);
    cudaDeviceSynchronize();
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    std::size_t dropped = 0;
    cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped);
    return Client::get().kinds().empty() ? static_cast<int>(dropped) : -1;
  }
};

TEST_F(SimulatedFaults, RefuseASubscription) {
  inject("subscribe=39");
  EXPECT_EXIT(std::_Exit(subscribe()), testing::ExitedWithCode(39), "");
}

TEST_F(SimulatedFaults, RefuseToEnable) {
  inject("enable=15");
  EXPECT_EXIT(std::_Exit(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY)), testing::ExitedWithCode(15), "");
}

TEST_F(SimulatedFaults, RefuseAFlush) {
  inject("enable=0,flush=7");
  EXPECT_EXIT(std::_Exit(cuptiActivityFlushAll(0)), testing::ExitedWithCode(7), "");
}

TEST_F(SimulatedFaults, DeclineEveryBuffer) {
  inject("no_buffers");
  EXPECT_EXIT(std::exit(dropped_of_one()), testing::ExitedWithCode(1), "");
}

TEST_F(SimulatedFaults, GiveCuptiToSomebodyElse) {
  inject("registered_elsewhere");
  EXPECT_EXIT(std::_Exit(subscribe()), testing::ExitedWithCode(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED), "");
  EXPECT_EXIT(std::exit(dropped_of_one()), testing::ExitedWithCode(1), "");
}

TEST_F(SimulatedFaults, ReportAVersion) {
  inject("version=26");
  uint32_t version = 0;
  EXPECT_EXIT((cuptiGetVersion(&version), std::_Exit(static_cast<int>(version))), testing::ExitedWithCode(26), "");
}

// "If set to NULL then no buffer is returned"; but versions before 27 crash (release notes of CUDA 12.9).
TEST_F(SimulatedFaults, CrashWhereOldVersionsCannotBeRefused) {
  const auto decline = [] {
    unsetenv("SIMGPU_TRUTH");  // that of a crash has no end
    cuptiActivityRegisterCallbacks([](uint8_t** buffer, size_t* size, size_t*) { *buffer = nullptr, *size = 0; },
                                   [](CUcontext, uint32_t, uint8_t*, size_t, size_t) {});
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    void* memory = nullptr;
    cudaMalloc(&memory, 64);
    cudaMemset(memory, 0, 64);
    cudaDeviceSynchronize();
    cuptiActivityFlushAll(0);
    std::_Exit(0);
  };
  inject("version=27");
  EXPECT_EXIT(decline(), testing::ExitedWithCode(0), "");
  inject("version=26");
  EXPECT_EXIT(decline(), testing::KilledBySignal(SIGSEGV), "declined buffer request");
}

TEST_F(SimulatedFaults, CrashInAForcedFlushOfUnfinishedWork) {
  inject("flush_crashes");
  const auto flush = [] {
    unsetenv("SIMGPU_TRUTH");
    Client::get().register_callbacks();
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    void* memory = nullptr;
    cudaMalloc(&memory, std::size_t{1} << 32);
    for (int i = 0; i < 100; ++i) cudaMemsetAsync(memory, 0, std::size_t{1} << 32, nullptr);
    cuptiActivityFlushAll(0);
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    std::_Exit(0);
  };
  EXPECT_EXIT(flush(), testing::KilledBySignal(SIGSEGV), "cuptiActivityFlushAll");
}

TEST_F(SimulatedFaults, RefuseSubscribersWhereOthersDoWithout) {
  inject("version=130200");
  const auto subscribe_v2 = [] {
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    CUpti_SubscriberHandle subscriber = nullptr;
    CUpti_SubscriberParams parameters{};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    std::_Exit(cuptiSubscribe_v2(
        &subscriber, [](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}, nullptr, &parameters));
  };
  EXPECT_EXIT(subscribe_v2(), testing::ExitedWithCode(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED), "");
}

// CUpti_SubscriberParams as it is from CUDA 13.2 on.
struct SubscriberParameters {
  std::size_t size = sizeof(SubscriberParameters);
  const char* name = "test";
  char* old_name = nullptr;
  std::size_t old_name_size = 0;
  std::uint8_t allows_others = 0;
  std::uint8_t padding[7] = {};
};

CUptiResult subscribe_with(bool allows_others, CUpti_SubscriberHandle& subscriber) {
  SubscriberParameters parameters;
  parameters.allows_others = allows_others;
  return cuptiSubscribe_v2(
      &subscriber, [](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}, nullptr,
      reinterpret_cast<CUpti_SubscriberParams*>(&parameters));
}

// The result of a second subscription.
int second(bool first_allows, bool second_allows) {
  CUpti_SubscriberHandle subscriber = nullptr;
  if (subscribe_with(first_allows, subscriber) != CUPTI_SUCCESS) return 100;
  return subscribe_with(second_allows, subscriber);
}

// "Once set, subsequent cuptiSubscribe_v2 passing the same allowMultipleSubscribers value will succeed" (guide, 2.4.2)
TEST_F(SimulatedFaults, AllowSeveralSubscribersThatAgree) {
  inject("version=130300");
  EXPECT_EXIT(std::_Exit(second(true, true)), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::_Exit(second(true, false)), testing::ExitedWithCode(39), "");
  EXPECT_EXIT(std::_Exit(second(false, true)), testing::ExitedWithCode(39), "");
  EXPECT_EXIT(std::_Exit(second(false, false)), testing::ExitedWithCode(39), "");
}

// "cuptiSubscribe_v2 will return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED if the request cannot be fulfilled"
// (CUpti_SubscriberParams); "requires CUDA 13.3+ and driver r610+" (guide, 2.4.1)
TEST_F(SimulatedFaults, RefuseSeveralSubscribersWhereThereCanBeOnlyOne) {
  for (const char* faults : {"version=130201", "version=130300,one_subscriber"}) {
    inject(faults);
    EXPECT_EXIT(std::_Exit(second(true, true)), testing::ExitedWithCode(100), "");
  }
}

// "When both V1 and V2 APIs are present in the same process, CUPTI returns the error" (guide, 2.4.3)
TEST_F(SimulatedFaults, RefuseWhoDoesWithoutASubscriberBesideSubscribers) {
  inject("version=130400");
  const auto enable = [](bool until_unsubscribed) {
    CUpti_SubscriberHandle subscriber = nullptr;
    if (subscribe_with(true, subscriber) != CUPTI_SUCCESS) std::_Exit(100);
    if (until_unsubscribed) cuptiUnsubscribe(subscriber);
    std::_Exit(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET));
  };
  EXPECT_EXIT(enable(false), testing::ExitedWithCode(39), "");
  EXPECT_EXIT(enable(true), testing::ExitedWithCode(0), "");
}

TEST_F(SimulatedFaults, NameWhatTheyDoNotKnow) {
  inject("subscribe=5,colour=blue");
  EXPECT_EXIT(std::_Exit(subscribe()), testing::ExitedWithCode(5), "colour=blue");
}
