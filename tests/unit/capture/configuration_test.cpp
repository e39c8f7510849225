#include "capture/settings/configuration.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/base/messages.h"

using namespace tauprof::capture;

namespace {

size_t shown_size(const CaptureWindow&) { return sizeof(CaptureRange); }
template <size_t kSize>
size_t shown_size(const char (&text)[kSize]) {
  return strlen(text) + 1;
}
template <class Value>
size_t shown_size(const Value&) {
  return sizeof(Value);
}

class ConfigurationTest : public testing::Test {
 protected:
  ~ConfigurationTest() override {
    for (const std::string& variable : set_) unsetenv(variable.c_str());
  }
  void Set(const char* variable, const char* value) {
    setenv(variable, value, 1);
    set_.emplace_back(variable);
  }
  // Redirects stderr; its text ends up in `said_`.
  Configuration Read() {
    Configuration configuration;
    testing::internal::CaptureStderr();
    note_stderr();
    read_configuration(configuration);
    said_ = testing::internal::GetCapturedStderr();
    return configuration;
  }

  std::string said_;

 private:
  std::vector<std::string> set_;
};

TEST_F(ConfigurationTest, DefaultsHoldWithoutVariables) {
  const Configuration configuration = Read();
  EXPECT_STREQ(configuration.directory, "./tauprof-logs");
  EXPECT_EQ(configuration.categories, kDefaultCategories);
  EXPECT_EQ(configuration.max_bytes, 512u << 20);
  EXPECT_EQ(configuration.on_full, OnFull::kWrap);
  EXPECT_EQ(said_, "");
}

// The value that holds without a variable is the one that the user is told, for all whose usual value can be written.
TEST(SettingsTest, UsualValuesAreTheDefaults) {
  Configuration changed;
  memset(static_cast<void*>(&changed), 0x55, sizeof changed);
  const Configuration defaults;
  for_each_setting([&](auto member, const auto& form, const SettingNames& names) {
    if (!form.parse(names.usual, changed.*member)) return;
    EXPECT_EQ(memcmp(&(changed.*member), &(defaults.*member), shown_size(defaults.*member)), 0) << names.variable;
  });
}

TEST(SettingsTest, EachVariableHasOneLine) {
  std::set<std::string> variables, options;
  for_each_setting([&](auto, const auto&, const SettingNames& names) {
    EXPECT_TRUE(variables.insert(names.variable).second) << names.variable;
    EXPECT_TRUE(names.option == nullptr || options.insert(names.option).second) << names.option;
  });
}

TEST_F(ConfigurationTest, ReadsEveryVariable) {
  Set("TAUPROF_DIR", "/somewhere");
  Set("TAUPROF_CAPTURE", "api,nccl,graph-nodes,nccl-phases");
  Set("TAUPROF_DEVICE_TIMING", "events");
  Set("TAUPROF_BUFFER_MB", "8");
  Set("TAUPROF_MAX_MB", "100");
  Set("TAUPROF_ON_FULL", "stop");
  Set("TAUPROF_START_AFTER", "1.5");
  Set("TAUPROF_DURATION", "30");
  Set("TAUPROF_CAPTURE_RANGE", "nvtx:train step");
  Set("TAUPROF_STEP_MARKER", "nvtx:step*");
  Set("TAUPROF_STACKS", "slow");
  Set("TAUPROF_STACK_MIN_US", "50");
  const Configuration configuration = Read();
  EXPECT_EQ(configuration.stacks, StackMode::kSlow);
  EXPECT_EQ(configuration.stack_min_ns, 50'000u);
  EXPECT_STREQ(configuration.directory, "/somewhere");
  EXPECT_EQ(configuration.categories, kCategoryApi | kCategoryNccl | kCategoryGraphNodes | kCategoryNcclPhases);
  EXPECT_EQ(configuration.device_timing, DeviceTiming::kEvents);
  EXPECT_EQ(configuration.buffer_bytes, 8u << 20);
  EXPECT_EQ(configuration.max_bytes, 100u << 20);
  EXPECT_EQ(configuration.on_full, OnFull::kStop);
  EXPECT_EQ(configuration.start_after_ns, 1'500'000'000u);
  EXPECT_EQ(configuration.duration_ns, 30'000'000'000u);
  EXPECT_EQ(configuration.capture_range.kind, CaptureRange::kNvtx);
  EXPECT_STREQ(configuration.capture_range.name, "train step");
  EXPECT_STREQ(configuration.step_marker, "nvtx:step*");
  EXPECT_EQ(said_, "");
}

class BadValueTest : public ConfigurationTest,
                     public testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(BadValueTest, IsReportedInOneLineWithVariableAndValue) {
  const auto [variable, value] = GetParam();
  Set(variable, value);
  Read();
  EXPECT_EQ(said_.rfind("tauprof: " + std::string(variable) + "=" + value, 0), 0u) << said_;
  EXPECT_NE(said_.find("accepted: "), std::string::npos) << said_;
  EXPECT_EQ(std::count(said_.begin(), said_.end(), '\n'), 1) << said_;
}

INSTANTIATE_TEST_SUITE_P(Variables, BadValueTest,
                         testing::Values(std::pair("TAUPROF_CAPTURE", "api,everything"),
                                         std::pair("TAUPROF_CAPTURE", "api,"),
                                         std::pair("TAUPROF_DEVICE_TIMING", "yes"), std::pair("TAUPROF_BUFFER_MB", "0"),
                                         std::pair("TAUPROF_MAX_MB", "1.5"), std::pair("TAUPROF_STACKS", "often"),
                                         std::pair("TAUPROF_STACK_MIN_US", "fast"),
                                         std::pair("TAUPROF_ON_FULL", "explode"),
                                         std::pair("TAUPROF_START_AFTER", "soon"), std::pair("TAUPROF_DURATION", "-1"),
                                         std::pair("TAUPROF_CAPTURE_RANGE", "nvtx:"), std::pair("TAUPROF_RANKS", "3-1"),
                                         std::pair("TAUPROF_RANKS", "1,"), std::pair("TAUPROF_STEP_MARKER", "range:x"),
                                         std::pair("TAUPROF_BUDGET", "0"), std::pair("TAUPROF_EVERY", "10"),
                                         std::pair("TAUPROF_EVERY", "0/10"), std::pair("TAUPROF_EVERY", "3/2"),
                                         std::pair("TAUPROF_EVERY", "1/1001"), std::pair("TAUPROF_EVERY", "1/10x"),
                                         std::pair("TAUPROF_EVERY", "1/"), std::pair("TAUPROF_ENABLE", "perhaps"),
                                         std::pair("TAUPROF_LOG_LEVEL", "loud")));

TEST(EveryTest, ReadsAShare) {
  StepShare share{7, 9};
  EXPECT_TRUE(Every{}.parse("1/10", share));
  EXPECT_EQ(share.full, 1u);
  EXPECT_EQ(share.of, 10u);
  EXPECT_TRUE(Every{}.parse("auto", share));
  EXPECT_EQ(share.of, 0u);
  EXPECT_TRUE(Every{}.parse("1000/1000", share));
}

TEST(Budget, IsAShareOfStepsThatCostsNoMoreWhateverDeviceTimesCost) {
  StepShare share;
  EXPECT_TRUE(Budget{}.parse("0.5%", share));
  EXPECT_EQ(share.full, 1u);
  EXPECT_EQ(share.of, 120u);
  EXPECT_TRUE(Budget{}.parse("7", share));
  EXPECT_EQ(share.of, 9u);  // 60 % ÷ 9 = 6.7 %
  EXPECT_TRUE(Budget{}.parse("100%", share));
  EXPECT_EQ(share.of, 1u);
  for (const char* const wrong : {"", "%", "0%", "0.01%", "-1%", "5%x", "5%%", "half", "1e3%"})
    EXPECT_FALSE(Budget{}.parse(wrong, share)) << wrong;
}

TEST(RankListTest, AcceptsRanksAndRanges) {
  EXPECT_TRUE(rank_is_listed("", 17));
  for (const int64_t rank : {0, 4, 5, 7}) EXPECT_TRUE(rank_is_listed("0,4-7", rank)) << rank;
  for (const int64_t rank : {1, 3, 8}) EXPECT_FALSE(rank_is_listed("0,4-7", rank)) << rank;
}

}  // namespace
