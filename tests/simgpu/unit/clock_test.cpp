#include "simgpu/engine/clock.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "fresh_process.h"

namespace simgpu {
namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;

TEST(ClockTest, ADevicesClockStaysWithinItsWander) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "wander_us=5"}}, [] {
    Nanoseconds largest = 0;
    for (Nanoseconds host = 0; host < 300 * kSecond; host += kSecond / 10)
      largest = std::max(largest, std::abs(device_time(0, host) - host));
    EXPECT_LE(largest, 5000);
    EXPECT_GE(largest, 2500);
  });
}

TEST(ClockTest, ADevicesClockNeverRunsBackwards) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "wander_us=1000"}}, [] {
    for (Nanoseconds begin = 0; begin < 60 * kSecond; begin += kSecond / 7)
      for (Nanoseconds host = begin; host < begin + 100; ++host)
        ASSERT_LE(device_time(0, host), device_time(0, host + 1)) << host;
  });
}

TEST(ClockTest, DevicesWanderEachOnItsOwn) {
  expect_in_fresh_process({}, [] {
    int different = 0;
    for (Nanoseconds host = 0; host < 100 * kSecond; host += kSecond)
      different += device_time(0, host) != device_time(1, host);
    EXPECT_GT(different, 90);
  });
}

TEST(ClockTest, TheWanderBelongsToTheMachinesDeviceNotToItsOrdinal) {
  const FreshProcess seen_as_zero = run_fresh({{"CUDA_VISIBLE_DEVICES", "3"}}, [] {
    std::fprintf(stderr, "%lld", static_cast<long long>(device_time(0, 5 * kSecond)));
  });
  const FreshProcess seen_as_three =
      run_fresh({}, [] { std::fprintf(stderr, "%lld", static_cast<long long>(device_time(3, 5 * kSecond))); });
  EXPECT_EQ(seen_as_zero.errors, seen_as_three.errors);
}

TEST(ClockTest, WithoutWanderBothClocksAreOne) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "wander_us=0"}}, [] { EXPECT_EQ(device_time(0, 12345), 12345); });
}

}  // namespace
}  // namespace simgpu
