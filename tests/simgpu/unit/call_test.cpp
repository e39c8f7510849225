#include "simgpu/engine/call.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "fresh_process.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

const ApiFunction kOuter{"cublasSgemm", ApiDomain::Library};
const ApiFunction kInner{"cudaLaunchKernel", ApiDomain::Runtime, 211};

class Recorder : public Observer {
 public:
  void api_entered(const ApiRecord& call) override {
    entered.push_back(call);
    if (leave_when_entered) set_observer(nullptr);
  }
  void api_left(const ApiRecord& call) override { left.push_back(call); }
  void span_submitted(std::uint64_t, const SpanDescription&) override {}
  void span_finished(const Span&) override {}
  void synchronized(const SyncSpan&) override {}

  std::vector<ApiRecord> entered, left;
  bool leave_when_entered = false;
};

TEST(CallTest, CountsTheOutermostCallsOfEachThread) {
  for (std::uint32_t n = 1; n <= 3; ++n) {
    std::thread([] {
      const ApiCall call(kOuter);
      EXPECT_EQ(current_call_site().nth, 1u);
    }).join();
  }
}

TEST(CallTest, WhatALibraryLaunchesBelongsToTheProgramsCall) {
  std::thread([] {
    for (std::uint32_t n = 1; n <= 2; ++n) {
      const ApiCall call(kOuter);
      const ApiCall launch(kInner);
      EXPECT_STREQ(current_call_site().function, "cublasSgemm");
      EXPECT_EQ(current_call_site().nth, n);
      EXPECT_EQ(current_call_site().thread, gettid());
    }
    const ApiCall launch(kInner);
    EXPECT_EQ(current_call_site().nth, 1u);
  }).join();
}

TEST(CallTest, OutsideOfCallsThereIsNoSite) {
  EXPECT_STREQ(current_call_site().function, "");
  EXPECT_EQ(current_correlation(), 0u);
}

TEST(CallTest, CorrelationComesFromTheInnermostCallThatHasOne) {
  const ApiCall library(kOuter);
  EXPECT_EQ(current_correlation(), 0u);
  std::uint32_t first = 0;
  {
    const ApiCall launch(kInner);
    first = current_correlation();
    EXPECT_NE(first, 0u);
    const ApiCall inside(kOuter);
    EXPECT_EQ(current_correlation(), first);
  }
  const ApiCall launch(kInner);
  EXPECT_EQ(current_correlation(), first + 1);
}

TEST(CallTest, TheObserverSeesEnterAndLeaveWithTheResult) {
  Recorder recorder;
  set_observer(&recorder);
  {
    const ApiCall library(kOuter);
    ApiCall call(kInner);
    call.leave(cudaErrorInvalidValue);
  }
  set_observer(nullptr);
  ASSERT_EQ(recorder.entered.size(), 1u);
  ASSERT_EQ(recorder.left.size(), 1u);
  EXPECT_EQ(recorder.left[0].cbid, 211u);
  EXPECT_EQ(recorder.left[0].result, cudaErrorInvalidValue);
  EXPECT_EQ(recorder.left[0].correlation, recorder.entered[0].correlation);
  EXPECT_GE(recorder.left[0].end, recorder.left[0].start);
}

TEST(CallTest, AnObserverMayTakeItselfAway) {
  Recorder recorder;
  recorder.leave_when_entered = true;
  set_observer(&recorder);
  for (int i = 0; i < 2; ++i) const ApiCall call(kInner);
  EXPECT_EQ(recorder.entered.size(), 1u);
  EXPECT_EQ(recorder.left.size(), 0u);
}

TEST(CallTest, NobodyIsInsideAnObserverThatWasTakenAway) {
  class Watched : public Recorder {
   public:
    void api_entered(const ApiRecord&) override { EXPECT_FALSE(gone); }
    void api_left(const ApiRecord&) override { EXPECT_FALSE(gone); }
    std::atomic<bool> gone{false};
  };
  std::atomic<bool> stop{false};
  std::thread caller([&] {
    while (!stop) const ApiCall call(kInner);
  });
  std::vector<std::unique_ptr<Watched>> watched;
  for (int i = 0; i < 2000; ++i) {
    watched.push_back(std::make_unique<Watched>());
    set_observer(watched.back().get());
    set_observer(nullptr);
    watched.back()->gone = true;
  }
  stop = true;
  caller.join();
}

TEST(CallTest, EqualNamesAreOneText) {
  const std::string name = "kernel", same = "kernel";
  EXPECT_EQ(interned_name(name.c_str()), interned_name(same.c_str()));
  EXPECT_STREQ(interned_name(name.c_str()), "kernel");
}

TEST(CallTest, AChildOfARunningSimulationIsLostToCuda) {
  expect_in_fresh_process({}, [] {
    EXPECT_FALSE(is_forked_child());
    EXPECT_EQ(set_current_device(0), cudaSuccess);
    const std::int32_t parent = this_thread();
    const pid_t child = fork();
    if (child == 0) {
      const bool as_documented = is_forked_child() && this_thread() != parent && this_thread() == gettid() &&
                                 set_current_device(0) == cudaErrorInitializationError;
      _exit(as_documented ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  });
}

TEST(CallTest, TheFirstCallInAStallsWindowBlocksUntilItsEnd) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "stall_host=0:0.02:60"}}, [] {
    const Nanoseconds begin = simulation_start() + 20'000'000;
    while (host_now() < begin) usleep(1000);
    { const ApiCall call(kInner); }
    EXPECT_GE(host_now(), begin + 60'000'000);
    const Nanoseconds after = host_now();
    { const ApiCall call(kInner); }
    EXPECT_LT(host_now() - after, 50'000'000);
  });
}

}  // namespace
}  // namespace simgpu
