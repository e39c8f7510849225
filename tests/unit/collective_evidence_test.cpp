// Which operations all members end in the same instant.
#include "metrics/collectives/collective_evidence.h"

#include <gtest/gtest.h>

#include "run_builder.h"

namespace tauprof {

void PrintTo(Ends ends, std::ostream* out) {
  *out << (ends == Ends::kCommon ? "common" : ends == Ends::kApart ? "apart" : "not known");
}

namespace {

using log::Operation;

Ends ends(Operation operation, const std::vector<int64_t>& counts, int64_t bytes_out = 0) {
  RunBuilder run(static_cast<int>(counts.size()));
  for (int rank = 0; rank < static_cast<int>(counts.size()); ++rank)
    run.collective(rank, 0, 10, 7, operation, counts[rank]).rare.edit().bytes_out = bytes_out;
  return ends_of(run.ranks(), match_collectives(run.ranks()).front());
}

TEST(CollectiveEnds, AreCommonWhereAllSendAndReceiveTheSame) {
  EXPECT_EQ(ends(Operation::kAllReduce, {1000, 1000, 1000}), Ends::kCommon);
  EXPECT_EQ(ends(Operation::kAllToAll, {1000, 1000, 1000}), Ends::kCommon);
  EXPECT_EQ(ends(Operation::kAllGather, {0, 0, 0}), Ends::kCommon) << "of unknown size, but of one";
  EXPECT_EQ(ends(Operation::kBarrier, {0, 0, 0}), Ends::kCommon);
}

TEST(CollectiveEnds, AreApartWherePartsDiffer) {
  EXPECT_EQ(ends(Operation::kAllToAll, {1000, 1500, 1000}), Ends::kApart);
  EXPECT_EQ(ends(Operation::kAllToAll, {0, 0, 0}, 4000), Ends::kApart) << "unequal parts";
  EXPECT_EQ(ends(Operation::kAllGather, {1000, 1500, 1000}), Ends::kApart) << "as broadcasts";
  EXPECT_EQ(ends(Operation::kBroadcast, {1000, 1000, 1000}), Ends::kApart);
}

TEST(CollectiveEnds, AreNotKnownWherePartsAreNot) {
  EXPECT_EQ(ends(Operation::kAllToAll, {0, 0, 0}), Ends::kNotKnown);
  EXPECT_EQ(ends(Operation::kAllToAll, {1000, 0, 1000}), Ends::kNotKnown);
}

}  // namespace
}  // namespace tauprof
