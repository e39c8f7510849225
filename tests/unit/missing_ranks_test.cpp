// The evidence of the finding about ranks without a log: how it names them.
#include <gtest/gtest.h>

#include "findings/finders.h"
#include "report/statement_text.h"

using namespace tauprof;

namespace {

std::string EvidenceFor(int32_t hosts, int32_t ranks, int32_t world_size, std::vector<int32_t> missing) {
  RunFacts facts;
  for (int32_t i = 0; i < hosts; ++i) facts.hosts.push_back("host" + std::to_string(i));
  facts.ranks = ranks;
  facts.world_size = world_size;
  facts.missing_ranks = std::move(missing);
  std::vector<Finding> found;
  add_quality_findings(facts, RunMetrics{}, found);
  return found.empty() ? "" : text_of(found.front().evidence);
}

TEST(MissingRanksTest, AreNamed) {
  EXPECT_EQ(EvidenceFor(1, 3, 4, {2}), "3 of 4 ranks have a log; rank 2 has none");
  EXPECT_EQ(EvidenceFor(2, 6, 8, {1, 6}), "6 of 8 ranks have a log; ranks 1, 6 have none");
}

TEST(MissingRanksTest, OfAWholeHostAreNamedSo) {
  EXPECT_EQ(
      EvidenceFor(2, 8, 12, {4, 5, 6, 7}),
      "8 of 12 ranks have a log; ranks 4, 5, 6, 7 have none: a whole host with 4 ranks, like those that have logs");
}

TEST(MissingRanksTest, OfNoBlockAreNoHost) {
  EXPECT_EQ(EvidenceFor(2, 8, 12, {3, 4, 5, 6}), "8 of 12 ranks have a log; ranks 3, 4, 5, 6 have none");
  EXPECT_EQ(EvidenceFor(3, 3, 4, {3}), "3 of 4 ranks have a log; rank 3 has none");
}

}  // namespace
