#include "simgpu/engine/config.h"

#include <gtest/gtest.h>

#include "fresh_process.h"

namespace simgpu {
namespace {

TEST(ConfigTest, HasDefaultsWithoutAnyVariable) {
  expect_in_fresh_process({}, [] {
    EXPECT_EQ(config().devices, 8);
    EXPECT_EQ(config().profile, "H200");
    EXPECT_FALSE(config().launcher_rank.has_value());
    EXPECT_EQ(config().rank_of(3), 3);
  });
}

TEST(ConfigTest, TakesOptionsWhateverSeparatesThem) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "devices=2,profile=A100;seed=7 jitter=0\nalpha_us=1.5 beta_gb_per_s=50"}},
                          [] {
                            EXPECT_EQ(config().devices, 2);
                            EXPECT_EQ(config().profile, "A100");
                            EXPECT_EQ(config().seed, 7u);
                            EXPECT_EQ(config().jitter, 0);
                            EXPECT_EQ(config().alpha, 1500);
                            EXPECT_EQ(config().beta, 50e9);
                          });
}

TEST(ConfigTest, NamesAnUnknownOptionAndWhatIsAccepted) {
  const FreshProcess child = run_fresh({{"SIMGPU_OPTIONS", "devises=2"}}, [] { EXPECT_EQ(config().devices, 8); });
  EXPECT_EQ(child.status, 0);
  EXPECT_NE(child.errors.find("devises=2"), std::string::npos);
  EXPECT_NE(child.errors.find("devices"), std::string::npos);
}

class BadValueTest : public testing::TestWithParam<const char*> {};

TEST_P(BadValueTest, CostsOneLineAndLeavesTheDefault) {
  const FreshProcess child = run_fresh({{"SIMGPU_OPTIONS", GetParam()}}, [] {
    EXPECT_EQ(config().devices, 8);
    EXPECT_EQ(config().jitter, 0.02);
    EXPECT_TRUE(config().injections.empty());
  });
  EXPECT_EQ(child.status, 0);
  EXPECT_EQ(std::count(child.errors.begin(), child.errors.end(), '\n'), 1) << child.errors;
  EXPECT_NE(child.errors.find(GetParam()), std::string::npos) << child.errors;
}

INSTANTIATE_TEST_SUITE_P(Values, BadValueTest,
                         testing::Values("devices=0", "devices=65", "devices=2.5", "devices=", "devices", "jitter=nan",
                                         "jitter=-1", "slow=1", "slow=x:2", "slow=0:0", "stall_host=0:1",
                                         "stall_host=0:1:2000:1", "throttle=0:1:1:0.5", "slow=0:2:1", "slow=0:2:1:3:2",
                                         "memory_gb=1", "fail=0:gemm:1", "fail=0::1:700", "profile=V100",
                                         "cupti_disturbs=2", "cupti_factor=2", "cupti_factor=3:2",
                                         "cupti_state_ms=0:1"));

TEST(ConfigTest, InjectionsAreThoseOfTheLaunchersRank) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "slow=2:1.5 slow_link=1:3 memory_gb=2:10"}, {"RANK", "2"}}, [] {
    EXPECT_EQ(config().rank_of(0), 2);
    EXPECT_EQ(config().injection(0).kernel_factor, 1.5);
    EXPECT_EQ(config().injection(0).link_factor, 1);
    EXPECT_EQ(config().injection(0).memory_bytes, 10'000'000'000u);
  });
}

TEST(ConfigTest, WithoutALauncherInjectionsAreThoseOfTheDevice) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "slow=2:1.5"}}, [] {
    EXPECT_EQ(config().injection(2).kernel_factor, 1.5);
    EXPECT_EQ(config().injection(0).kernel_factor, 1);
  });
}

TEST(ConfigTest, ReadsWindows) {
  constexpr const char* kWindows = "stall_host=0:1.5:20:4 throttle=0:2:3:1.4 slow=0:1.5:1:2:6 slow_link=0:4:7:8";
  expect_in_fresh_process({{"SIMGPU_OPTIONS", kWindows}}, [] {
    const Injection& injection = config().injection(0);
    ASSERT_EQ(injection.host_stalls.size(), 1u);
    EXPECT_EQ(injection.host_stalls[0].at, 1'500'000'000);
    EXPECT_EQ(injection.host_stalls[0].length, 20'000'000);
    EXPECT_EQ(injection.host_stalls[0].every, 4'000'000'000);
    ASSERT_EQ(injection.throttles.size(), 1u);
    EXPECT_EQ(injection.throttles[0].length, 3'000'000'000);
    EXPECT_EQ(injection.throttles[0].factor, 1.4);
    EXPECT_EQ(injection.kernel_factor, 1);
    ASSERT_EQ(injection.slow_times.size(), 1u);
    EXPECT_EQ(injection.slow_times[0].factor, 1.5);
    EXPECT_EQ(injection.slow_times[0].at, 1'000'000'000);
    EXPECT_EQ(injection.slow_times[0].every, 6'000'000'000);
    ASSERT_EQ(injection.slow_links.size(), 1u);
    EXPECT_EQ(injection.slow_links[0].length, 8'000'000'000);
    EXPECT_EQ(injection.slow_links[0].every, 0);
  });
}

TEST(ConfigTest, TheGlobOfAFaultMayHoldColons) {
  expect_in_fresh_process({{"SIMGPU_OPTIONS", "fail=0:*at::native::*:3:700"}}, [] {
    const Injection& injection = config().injection(0);
    ASSERT_EQ(injection.faults.size(), 1u);
    EXPECT_EQ(injection.faults[0].kernel_glob, "*at::native::*");
    EXPECT_EQ(injection.faults[0].nth, 3u);
    EXPECT_EQ(injection.faults[0].error, 700);
  });
}

}  // namespace
}  // namespace simgpu
