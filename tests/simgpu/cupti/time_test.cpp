// The times in activity records, and the client's clock.
#include <time.h>

#include "cupti_client.h"

using namespace cupti_test;

namespace {

std::uint64_t read_clock(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t CUPTIAPI monotonic() { return read_clock(CLOCK_MONOTONIC); }
std::uint64_t CUPTIAPI ticks() { return read_clock(CLOCK_MONOTONIC) * 3; }

// How far a device's converted clock may be from the host's, in ns.
constexpr std::uint64_t kClockError = 50'000;

}  // namespace

class Times : public CuptiTest {
 protected:
  // Records a kernel of 2 ms, its launch, and the time on `clock` before and after.
  void run_between(std::uint64_t (*clock)()) {
    enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    enable(CUPTI_ACTIVITY_KIND_RUNTIME);
    before_ = clock();
    spin(2ms);
    EXPECT_CUDA(cudaDeviceSynchronize());
    after_ = clock();
    EXPECT_CUPTI(cuptiActivityFlushAll(0));
    ASSERT_EQ(1u, client().kernels().size());
    kernel_ = client().kernels()[0];
  }

  void expect_within_bounds(std::uint64_t error) {
    EXPECT_GE(kernel_.start + error, before_);
    EXPECT_LT(kernel_.start, kernel_.end);
    EXPECT_LE(kernel_.end, after_ + error);
  }

  std::uint64_t before_ = 0, after_ = 0;
  CUpti_ActivityKernel10 kernel_{};
};

// cuptiActivityRegisterTimestampCallback: "Linux (x86_64, aarch64 sbsa, aarch64) uses clock_gettime(CLOCK_REALTIME)".
TEST_F(Times, AreInRealTimeByDefault) {
  run_between([] { return read_clock(CLOCK_REALTIME); });
  expect_within_bounds(kClockError);
}

// cuptiActivityRegisterTimestampCallback: "registers a callback function to obtain timestamp of user's choice instead
// of using CUPTI provided timestamp".
TEST_F(Times, AreInTheRegisteredClock) {
  EXPECT_CUPTI(cuptiActivityRegisterTimestampCallback(monotonic));
  run_between(monotonic);
  expect_within_bounds(kClockError);
}

// The same: "CUPTI performs a linear interpolation to convert GPU timestamps into CPU timestamps".
TEST_F(Times, FollowARegisteredClockOfAnotherRate) {
  EXPECT_CUPTI(cuptiActivityRegisterTimestampCallback(ticks));
  std::this_thread::sleep_for(100ms);
  run_between(ticks);
  expect_within_bounds(3 * kClockError);
  EXPECT_GT(kernel_.end - kernel_.start, 2 * 2'000'000u);
}

// cuptiActivityRegisterTimestampCallback: "CUPTI_ERROR_INVALID_PARAMETER if funcTimestamp is NULL".
TEST_F(Times, NeedAClock) { EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER, cuptiActivityRegisterTimestampCallback(nullptr)); }

// cuptiGetTimestamp: "Returns a timestamp normalized to correspond with the start and end timestamps reported in the
// CUPTI activity records."
TEST_F(Times, CorrespondToGetTimestamp) {
  run_between([] {
    std::uint64_t now = 0;
    EXPECT_CUPTI(cuptiGetTimestamp(&now));
    return now;
  });
  expect_within_bounds(kClockError);
  EXPECT_EQ(CUPTI_ERROR_INVALID_PARAMETER, cuptiGetTimestamp(nullptr));
}

// CUpti_ActivityKernel10: work of one stream runs in order, so spans of one stream do not overlap.
TEST_F(Times, OfOneStreamDoNotOverlap) {
  enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  for (int i = 0; i < 200; ++i) spin(20us);
  synchronize_and_flush();
  auto kernels = client().kernels();
  ASSERT_EQ(200u, kernels.size());
  std::sort(kernels.begin(), kernels.end(), [](auto& a, auto& b) { return a.start < b.start; });
  for (std::size_t i = 1; i < kernels.size(); ++i) EXPECT_LE(kernels[i - 1].end, kernels[i].start);
}

// cuptiActivityEnableLatencyTimestamps: "Default value is 0, i.e. these timestamps are not collected."
TEST_F(Times, OfSubmissionAreNotCollectedByDefault) {
  run_between(monotonic);
  EXPECT_EQ(std::uint64_t{CUPTI_TIMESTAMP_UNKNOWN}, kernel_.submitted);
}

// A simulated device's clock wanders less than 10 µs around CLOCK_MONOTONIC, which passes through unchanged.
TEST_F(Times, SimulatedStayCloseToTheMonotonicClock) {
  EXPECT_CUPTI(cuptiActivityRegisterTimestampCallback(monotonic));
  run_between(monotonic);
  expect_within_bounds(10'000);
  for (const auto& call : client().runtime_calls()) {
    EXPECT_GE(call.start, before_ - 1'000'000'000);
    EXPECT_LE(call.end, after_);
  }
}
