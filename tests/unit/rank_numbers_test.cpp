#include "pipeline/rank_numbers.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

RankTimeline Process(const char* file, int32_t rank, uint64_t spans, uint64_t calls) {
  RankTimeline timeline;
  timeline.file = file;
  timeline.rank = rank;
  timeline.world_size = 2;
  timeline.spans = spans;
  timeline.calls = calls;
  return timeline;
}

std::vector<std::string> FilesOf(const std::vector<RankTimeline>& ranks) {
  std::vector<std::string> files;
  for (const RankTimeline& rank : ranks) files.push_back(rank.file);
  return files;
}

TEST(RankNumbers, OfTwoProcessesWithOneRankTheOneWithMoreDeviceWorkIsTheRank) {
  std::vector<RankTimeline> ranks{Process("launcher", 0, 2, 9000), Process("trainer", 0, 500, 600),
                                  Process("peer", 1, 500, 600)};
  const std::vector<std::string> notes = number_ranks(ranks);
  EXPECT_EQ(FilesOf(ranks), (std::vector<std::string>{"trainer", "peer"}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0],
            "launcher: rank 0 is also in trainer, which has 500 spans and 600 calls; this one, with 2 spans and 9000 "
            "calls, is left out (two runs in one directory? see --run)");
}

TEST(RankNumbers, WithoutDeviceWorkTheOneWithMoreCallsIsTheRank) {
  std::vector<RankTimeline> ranks{Process("a helper", 1, 0, 3), Process("b trainer", 1, 0, 600)};
  EXPECT_EQ(number_ranks(ranks).size(), 1u);
  EXPECT_EQ(FilesOf(ranks), (std::vector<std::string>{"b trainer"}));
}

TEST(RankNumbers, OfEquallyBusyProcessesTheFirstIsTheRank) {
  std::vector<RankTimeline> ranks{Process("a", 0, 5, 5), Process("b", 0, 5, 5), Process("c", 0, 5, 5)};
  EXPECT_EQ(number_ranks(ranks).size(), 2u);
  EXPECT_EQ(FilesOf(ranks), (std::vector<std::string>{"a"}));
}

TEST(RankNumbers, AHelperWithoutARankIsNone) {
  std::vector<RankTimeline> ranks{Process("a", 0, 500, 600), Process("b", 1, 480, 600), Process("helper", -1, 4, 9)};
  const std::vector<std::string> notes = number_ranks(ranks);
  EXPECT_EQ(FilesOf(ranks), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(ranks[1].rank, 1);
  EXPECT_EQ(notes, (std::vector<std::string>{"helper: has no rank, 4 spans and 9 calls; a helper's, left out"}));
}

TEST(RankNumbers, ProcessesWithoutARankThatShareTheWorkAreRanks) {
  std::vector<RankTimeline> ranks{Process("a", -1, 500, 600), Process("b", -1, 40, 60)};
  EXPECT_TRUE(number_ranks(ranks).empty());
  EXPECT_EQ(ranks.size(), 2u);
  std::vector<RankTimeline> communicating{Process("a", -1, 500, 600), Process("b", -1, 4, 6)};
  communicating[1].collectives.resize(1);
  EXPECT_TRUE(number_ranks(communicating).empty()) << "it takes part";
}

}  // namespace
}  // namespace tauprof
