// Which stage of a pipeline a rank is.
#include "metrics/stragglers/pipeline_stages.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "run_builder.h"

namespace tauprof {
namespace {

class PipelineStagesTest : public testing::Test {
 protected:
  PipelineStagesTest() : run(4) {}

  // Ranks 0 and 2 form a pipeline, and so do 1 and 3.
  RankCollective& message(int rank, bool is_send) {
    const int stage = rank / 2;
    RankCollective& added = run.message(rank, 0, 10, 1 - stage, is_send);
    added.communicator = 10 + static_cast<uint64_t>(rank % 2);
    added.communicator_rank = stage;
    added.communicator_size = 2;
    return added;
  }
  void reduce(const std::vector<int>& members, uint64_t communicator) {
    for (const int rank : members)
      run.collective(rank, 20, 30, communicator).communicator_size = static_cast<int32_t>(members.size());
  }
  bool lies_between(uint64_t communicator) {
    const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
    const PipelineStages stages(run.ranks(), matches);
    for (const MatchedCollective& match : matches)
      if (match.communicator == communicator) return stages.lies_between(match);
    ADD_FAILURE() << "no such communicator";
    return false;
  }

  RunBuilder run;
};

TEST_F(PipelineStagesTest, MatchTheHeadersExample) {
  for (const int rank : {0, 1, 2, 3}) message(rank, rank < 2);
  reduce({0, 1}, 20);
  reduce({2, 3}, 21);
  reduce({0, 1, 2, 3}, 22);
  const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
  const PipelineStages stages(run.ranks(), matches);
  for (const uint32_t rank : {0u, 1u}) EXPECT_EQ(stages.stage(rank), (StageOfRank{0, 2}));
  for (const uint32_t rank : {2u, 3u}) EXPECT_EQ(stages.stage(rank), (StageOfRank{1, 2}));
  EXPECT_TRUE(lies_between(10));
  EXPECT_FALSE(lies_between(20));
  EXPECT_FALSE(lies_between(21));
  EXPECT_TRUE(lies_between(22));
}

TEST_F(PipelineStagesTest, ARingHasNoStages) {
  for (const int rank : {0, 1, 2, 3}) message(rank, true).rare.edit().peer_calls.push_back({1 - rank / 2, false, 4000});
  reduce({0, 1, 2, 3}, 22);
  EXPECT_FALSE(lies_between(22));
}

TEST_F(PipelineStagesTest, ARankThatSendsOnTwoCommunicatorsHasNoStageWhereNobodyReceives) {
  message(0, true);
  message(0, true).communicator = 77;
  EXPECT_FALSE(PipelineStages(run.ranks(), match_collectives(run.ranks())).stage(0).is_known());
}

// Each pair of neighbours has a communicator of its own, in which the lower rank is number 0.
class ChainTest : public PipelineStagesTest {
 protected:
  void exchange(int from, int to) {
    for (const int rank : {from, to}) {
      const int low = std::min(from, to), high = std::max(from, to), number = rank == low ? 0 : 1;
      RankCollective& added = run.message(rank, 0, 10, 1 - number, rank == from);
      added.communicator = 100 + static_cast<uint64_t>(10 * low + high);
      added.communicator_rank = number;
      added.communicator_size = 2;
    }
  }
  std::vector<StageOfRank> stages() {
    const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
    const PipelineStages stages(run.ranks(), matches);
    std::vector<StageOfRank> found;
    for (uint32_t rank = 0; rank < run.ranks().size(); ++rank) found.push_back(stages.stage(rank));
    return found;
  }
};

TEST_F(ChainTest, OfPairsNumbersItsStages) {
  exchange(0, 1), exchange(1, 2), exchange(2, 3), exchange(3, 2), exchange(2, 1), exchange(1, 0);
  EXPECT_EQ(stages(), (std::vector<StageOfRank>{{0, 4}, {1, 4}, {2, 4}, {3, 4}}));
}

TEST_F(ChainTest, OfReplicasIsOneEach) {
  exchange(0, 2), exchange(1, 3);
  EXPECT_EQ(stages(), (std::vector<StageOfRank>{{0, 2}, {0, 2}, {1, 2}, {1, 2}}));
}

TEST_F(ChainTest, ThatIsClosedStartsAtItsLowestRank) {
  exchange(0, 1), exchange(1, 2), exchange(2, 3), exchange(3, 0);
  EXPECT_EQ(stages(), (std::vector<StageOfRank>{{0, 4}, {1, 4}, {2, 4}, {3, 4}}));
}

TEST_F(ChainTest, ThatForksIsNone) {
  exchange(0, 1), exchange(1, 2), exchange(1, 3);
  EXPECT_FALSE(stages()[1].is_known());
}

}  // namespace
}  // namespace tauprof
