// From which step on steps take longer.
#include "metrics/run/step_changes.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

using Durations = std::vector<double>;

TEST(StepChangesTest, MatchTheHeadersExample) {
  EXPECT_EQ(changed_from({100, 101, 99, 300, 100, 102, 151, 150, 152, 149}), 6u);
}

TEST(StepChangesTest, ShorterStepsAreAChangeToo) {
  EXPECT_EQ(changed_from({150, 151, 149, 150, 100, 101, 99, 100, 100, 101}), 4u);
}

TEST(StepChangesTest, AFewPercentAreNone) {
  EXPECT_EQ(changed_from({100, 101, 99, 100, 100, 108, 107, 109, 108, 107}), 0u);
}

TEST(StepChangesTest, TwoLongStepsAtTheEndAreNone) {
  EXPECT_EQ(changed_from({100, 101, 99, 100, 100, 101, 99, 100, 150, 150}), 0u);
}

TEST(StepChangesTest, StepsThatComeAndGoAreNone) {
  EXPECT_EQ(changed_from({100, 150, 100, 150, 100, 150, 100, 150, 150, 150, 100, 150}), 0u);
}

TEST(StepChangesTest, FewStepsTellNothing) { EXPECT_EQ(changed_from({100, 100, 100, 150, 150, 150}), 0u); }

}  // namespace
}  // namespace tauprof
