// Rounded parts that still sum to the whole.
#include "diff/apportion.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tauprof {
namespace {

TEST(Apportion, GivesMissingNanosecondsToThePartsThatLostMost) {
  EXPECT_EQ(apportion({1.5, 1.5, 4}, 7), (std::vector<Nanoseconds>{2, 1, 4}));
  EXPECT_EQ(apportion({0.2, 0.9, 0.9}, 2), (std::vector<Nanoseconds>{0, 1, 1}));
}

TEST(Apportion, LeavesWholePartsAlone) {
  EXPECT_EQ(apportion({3, 0, 4}, 7), (std::vector<Nanoseconds>{3, 0, 4}));
  EXPECT_TRUE(apportion({}, 0).empty());
}

TEST(Apportion, SumsToTheWholeThoughSumsOfFractionsAreRounded) {
  const std::vector<double> thirds(14, 1e9 / 3);
  const auto total = static_cast<Nanoseconds>(14e9 / 3 + 0.5);
  const std::vector<Nanoseconds> parts = apportion(thirds, total);
  EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), Nanoseconds{0}), total);
}

}  // namespace
}  // namespace tauprof
