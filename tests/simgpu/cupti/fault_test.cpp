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

TEST_F(SimulatedFaults, NameWhatTheyDoNotKnow) {
  inject("subscribe=5,colour=blue");
  EXPECT_EXIT(std::_Exit(subscribe()), testing::ExitedWithCode(5), "colour=blue");
}
