#include "replay/alignment.h"

#include <gtest/gtest.h>

#include <string_view>

namespace tauprof {
namespace {

std::vector<uint32_t> pair(std::string_view own, std::string_view other) {
  return partners_of(std::vector<uint64_t>(own.begin(), own.end()), std::vector<uint64_t>(other.begin(), other.end()));
}

constexpr uint32_t kNone = kNoPartner;

TEST(Alignment, EqualSequencesArePairedOneByOne) {
  EXPECT_EQ(pair("abca", "abca"), (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(pair("", "abc").empty());
  EXPECT_EQ(pair("ab", ""), (std::vector<uint32_t>{kNone, kNone}));
}

TEST(Alignment, WhatIsRepeatedHasAPartnerEachTime) {
  const std::vector<uint32_t> partners = pair("aabaabaab", "ababab");
  EXPECT_EQ(partners[2], 1u);
  EXPECT_EQ(partners[5], 3u);
  EXPECT_EQ(partners[8], 5u);
  for (const size_t first : {0, 3, 6}) {
    EXPECT_NE(partners[first] == kNone, partners[first + 1] == kNone) << first;
    EXPECT_EQ(std::min(partners[first], partners[first + 1]), 2 * first / 3) << first;
  }
}

TEST(Alignment, WhatOnlyTheOtherDoesIsNobodysPartner) {
  EXPECT_EQ(pair("acd", "abcd"), (std::vector<uint32_t>{0, 2, 3}));
}

TEST(Alignment, ElementsThatChangedPlacesAreStillPaired) {
  EXPECT_EQ(pair("xaby", "xbay"), (std::vector<uint32_t>{0, 2, 1, 3}));
}

TEST(Alignment, SequencesThatHaveLittleInCommonArePairedInOrder) {
  const std::vector<uint64_t> other(10'000, 2);
  std::vector<uint64_t> own(10'000, 1);
  own.push_back(2);
  own.push_back(3);
  const std::vector<uint32_t> partners = partners_of(own, other);
  EXPECT_EQ(partners[0], kNone);
  EXPECT_EQ(partners[10'000], 0u);
  EXPECT_EQ(partners[10'001], kNone);
}

}  // namespace
}  // namespace tauprof
