// One identity for communicators that grew, and for what was made from them.
#include "read/united_identities.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

using Identities = std::map<uint64_t, uint64_t>;

TEST(UnitedIdentities, MatchTheHeadersExample) {
  const uint64_t a = 10, b = 20, c = 11, d = 21, first_part = 5;
  EXPECT_EQ(united_identities({{a, b, 0, 0}, {c, 0, a, first_part}, {d, 0, b, first_part}}),
            (Identities{{b, a}, {d, c}}));
}

TEST(UnitedIdentities, FollowThroughSeveralGenerations) {
  // 1 is 2; their parts 3 and 4; the parts of those, 5 and 6, listed first.
  EXPECT_EQ(united_identities({{5, 0, 3, 9}, {6, 0, 4, 9}, {3, 0, 1, 8}, {4, 0, 2, 8}, {1, 2, 0, 0}}),
            (Identities{{2, 1}, {4, 3}, {6, 5}}));
}

TEST(UnitedIdentities, KeepOtherPartsApart) {
  EXPECT_EQ(united_identities({{1, 2, 0, 0}, {3, 0, 1, 8}, {4, 0, 2, 9}}), (Identities{{2, 1}}));
  EXPECT_TRUE(united_identities({{3, 0, 1, 8}, {4, 0, 2, 8}}).empty());
}

TEST(UnitedIdentities, AreAskedForWhereThereIsAnOrigin) {
  ProcessTrace trace;
  trace.communicators[1].identity = 10;
  trace.communicators[2].identity = 11;
  trace.communicators[2].parent = 1;
  trace.communicators[2].part = 5;
  const std::vector<CommunicatorOrigin> origins = communicator_origins(trace);
  ASSERT_EQ(origins.size(), 1u);
  EXPECT_EQ(origins[0].identity, 11u);
  EXPECT_EQ(origins[0].parent, 10u);
}

}  // namespace
}  // namespace tauprof
