// Which ranks did not call the same collectives as their peers.
#include "metrics/collectives/collective_mismatch.h"

#include <gtest/gtest.h>

#include "run_builder.h"

namespace tauprof {
namespace {

using log::Operation;

RankCollective& numbered(RunBuilder& run, int rank, int64_t sequence, int64_t count = 1000) {
  RankCollective& added = run.collective(rank, 100 * sequence, 100 * sequence + 50, 1, Operation::kAllReduce, count);
  added.sequence = sequence;
  added.communicator_size = 3;
  return added;
}

std::vector<std::pair<int32_t, std::string_view>> mismatches(RunBuilder& run) {
  std::vector<std::pair<int32_t, std::string_view>> found;
  for (const CollectiveMismatch& mismatch : find_mismatches(run.ranks(), match_collectives(run.ranks())))
    found.emplace_back(mismatch.rank, mismatch.what);
  return found;
}

using Mismatches = std::vector<std::pair<int32_t, std::string_view>>;

TEST(CollectiveMismatch, NamesTheRankThatDiffersFromMost) {
  RunBuilder run(3);
  for (int rank : {0, 1, 2}) numbered(run, rank, 1);
  for (int rank : {0, 1, 2}) numbered(run, rank, 2, rank == 0 ? 5 : 1000);
  EXPECT_EQ(mismatches(run), (Mismatches{{0, "count"}}));
}

TEST(CollectiveMismatch, GivesBothCallsAndTheSourceLine) {
  RunBuilder run(3);
  for (int rank : {0, 1, 2}) numbered(run, rank, 2, rank == 0 ? 5 : 1000);
  run.ranks()[0].source_line_names = {"train.py:7 step"};
  run.ranks()[0].collectives[0].source_line = 0;
  const CollectiveMismatch mismatch = find_mismatches(run.ranks(), match_collectives(run.ranks())).at(0);
  EXPECT_EQ(mismatch.first, 2);
  EXPECT_EQ(mismatch.called->count, 5);
  EXPECT_EQ(mismatch.peers_called->count, 1000);
  EXPECT_EQ(mismatch.peer, 1);
  EXPECT_EQ(mismatch.source_line, "train.py:7 step");
}

// Ranks 0 and 1 of a finished job; rank 0 called one collective more.
std::vector<RankTimeline> uneven_ends() {
  std::vector<RankTimeline> ranks(2);
  for (int32_t rank : {0, 1}) {
    CommunicatorProgress communicator;
    communicator.identity = 7;
    communicator.size = 2;
    communicator.completed = 40;
    communicator.entered = 41 - rank;
    if (rank == 0) communicator.recent = {{41, 1000, 0, -1, Operation::kAllReduce, log::DataType::kFloat32}};
    ranks[rank].rank = rank;
    ranks[rank].source = "preload";
    ranks[rank].progress.is_closed = ranks[rank].progress.has_all_calls = true;
    ranks[rank].progress.communicators = {communicator};
  }
  return ranks;
}

TEST(CollectiveMismatch, NamesTheRankThatContinuesAfterOthersHaveEnded) {
  const CollectiveMismatch mismatch = find_mismatches(uneven_ends(), {}).at(0);
  EXPECT_EQ(mismatch.what, "ahead");
  EXPECT_EQ(mismatch.rank, 0);
  EXPECT_EQ(mismatch.peer, 1);
  EXPECT_EQ(mismatch.first, 41);
  EXPECT_EQ(mismatch.count, 1u);
  EXPECT_EQ(mismatch.called->count, 1000);
}

TEST(CollectiveMismatch, DoesNotCompareTheEndsOfIncompleteRecordings) {
  std::vector<RankTimeline> ranks = uneven_ends();
  ranks[1].progress.has_all_calls = false;
  EXPECT_TRUE(find_mismatches(ranks, {}).empty());
}

TEST(CollectiveMismatch, NamesTheRankThatSkippedOne) {
  RunBuilder run(3);
  for (int64_t sequence : {1, 2, 3})
    for (int rank : {0, 1, 2})
      if (rank != 1 || sequence != 2) numbered(run, rank, sequence);
  EXPECT_EQ(mismatches(run), (Mismatches{{1, "missing"}}));
}

TEST(CollectiveMismatch, DoesNotNameARankWhoseRecordsOfDeviceWorkWereDropped) {
  RunBuilder run(3);
  for (int64_t sequence : {1, 2, 3})
    for (int rank : {0, 1, 2})
      if (rank != 1 || sequence != 2) numbered(run, rank, sequence);
  run.ranks()[1].quality.dropped_device_work = 1;
  EXPECT_EQ(mismatches(run), Mismatches{});
}

TEST(CollectiveMismatch, DoesNotNameARankThatStartedLater) {
  RunBuilder run(3);
  for (int64_t sequence : {1, 2, 3})
    for (int rank : {0, 1, 2})
      if (rank != 1 || sequence > 1) numbered(run, rank, sequence);
  EXPECT_EQ(mismatches(run), Mismatches{});
}

}  // namespace
}  // namespace tauprof
