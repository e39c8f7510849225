#include "pipeline/window_index.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

std::vector<size_t> touched(const std::vector<Interval>& windows, Nanoseconds start, Nanoseconds end) {
  std::vector<size_t> found;
  const bool is_any = WindowIndex(windows).visit(start, end, [&](size_t index, const Interval& window) {
    EXPECT_EQ(window.start, windows[index].start);
    found.push_back(index);
  });
  EXPECT_EQ(is_any, !found.empty());
  EXPECT_EQ(WindowIndex(windows).touches(start, end), is_any);
  return found;
}

using Found = std::vector<size_t>;

TEST(WindowIndex, FindsTheWindowsThatATimeTouches) {
  const std::vector<Interval> windows = {{0, 10}, {10, 20}, {30, 40}};
  EXPECT_EQ(touched(windows, 5, 12), (Found{0, 1}));
  EXPECT_EQ(touched(windows, 10, 11), (Found{1}));
  EXPECT_EQ(touched(windows, 20, 30), (Found{}));
  EXPECT_EQ(touched(windows, 0, 100), (Found{0, 1, 2}));
}

TEST(WindowIndex, WindowsMayOverlapAndNeedNoOrder) {
  const std::vector<Interval> windows = {{50, 60}, {0, 100}, {20, 30}};
  EXPECT_EQ(touched(windows, 55, 56), (Found{1, 0}));
  EXPECT_EQ(touched(windows, 70, 80), (Found{1}));
}

TEST(WindowIndex, AnEmptyWindowIsTouchedByNothing) { EXPECT_EQ(touched({{}, {5, 5}, {0, 10}}, 0, 10), (Found{2})); }

}  // namespace
}  // namespace tauprof
