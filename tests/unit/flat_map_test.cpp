// A map in one sorted array.
#include "model/flat_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tauprof {
namespace {

TEST(FlatMapTest, HoldsWhatATreeHolds) {
  std::mt19937 random(1);
  FlatMap<int, int> flat;
  std::map<int, int> tree;
  for (int i = 0; i < 500; ++i) {
    const int key = i < 100 ? i : static_cast<int>(random() % 300);
    flat[key] += i;
    tree[key] += i;
  }
  std::map<int, int> held;
  for (const auto& [key, value] : flat) held.emplace_hint(held.end(), key, value);
  EXPECT_EQ(held, tree);
  EXPECT_TRUE(std::is_sorted(flat.begin(), flat.end(), [](const auto& a, const auto& b) { return a.first < b.first; }));
  for (int key = -1; key <= 301; ++key) {
    EXPECT_EQ(flat.contains(key), tree.count(key) > 0) << key;
    const auto at = flat.lower_bound(key);
    const auto expected = tree.lower_bound(key);
    ASSERT_EQ(at == flat.end(), expected == tree.end()) << key;
    if (at != flat.end()) {
      EXPECT_EQ(at->first, expected->first) << key;
    }
  }
}

}  // namespace
}  // namespace tauprof
