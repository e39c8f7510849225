// The exact texts of findings about hangs and mismatches.
#include <gtest/gtest.h>

#include "findings/finders.h"
#include "findings/progress_statements.h"
#include "report/statement_text.h"

namespace tauprof {
namespace {

using log::DataType;
using log::Operation;

CalledCollective call(Operation operation, int64_t count, int32_t peer = -1, const char* where = "") {
  return {7, count, 0, peer, operation, DataType::kFloat32, 0, where};
}

CollectiveMismatch mismatch(const char* what) {
  CollectiveMismatch made;
  made.communicator = "dp";
  made.what = what;
  made.rank = 2;
  made.peer = 0;
  made.first = 7;
  made.count = 1;
  return made;
}

TEST(MismatchText, GivesBothCallsAndTheSourceLine) {
  CollectiveMismatch found = mismatch("count");
  found.called = call(Operation::kAllReduce, 2048);
  found.peers_called = call(Operation::kAllReduce, 4096);
  found.source_line = "train.py:120 reduce";
  found.count = 3;
  EXPECT_EQ(
      text_of(described(found)),
      "number 7 of dp: rank 2 called all_reduce of 2048 float at train.py:120 reduce; rank 0 called all_reduce of "
      "4096 float; 3 such collectives");
}

TEST(MismatchText, GivesTheRoot) {
  CollectiveMismatch found = mismatch("root");
  found.called = call(Operation::kBroadcast, 16, 1);
  found.peers_called = call(Operation::kBroadcast, 16, 0);
  EXPECT_EQ(text_of(described(found)),
            "number 7 of dp: rank 2 called broadcast of 16 float, root 1; rank 0 called broadcast of 16 float, root 0");
}

TEST(MismatchText, SaysWhichCollectiveARankLacks) {
  CollectiveMismatch found = mismatch("missing");
  found.peers_called = call(Operation::kAllGather, 8);
  EXPECT_EQ(text_of(described(found)), "number 7 of dp: rank 2 recorded none; rank 0 called all_gather of 8 float");
}

TEST(MismatchText, SaysWhichRankContinuedAlone) {
  CollectiveMismatch found = mismatch("ahead");
  found.called = call(Operation::kAllReduce, 8);
  EXPECT_EQ(text_of(described(found)), "number 7 of dp: rank 2 called all_reduce of 8 float; rank 0 ended before");
}

WaitingMessage message() {
  WaitingMessage made;
  made.communicator = "pp";
  made.source = 1;
  made.destination = 2;
  return made;
}

TEST(MessageText, SaysWhoWaitsForWhom) {
  WaitingMessage waiting = message();
  waiting.receive = call(Operation::kReceive, 4096, 1, "stage.py:9 pull");
  EXPECT_EQ(text_of(described(waiting)), "rank 2 waits for rank 1 to send it 4096 float at stage.py:9 pull");
  waiting.receive.reset();
  waiting.send = call(Operation::kSend, 4096, 2);
  EXPECT_EQ(text_of(described(waiting)), "rank 1 waits for rank 2 to receive 4096 float from it");
  waiting.destination = -1;
  EXPECT_EQ(text_of(described(waiting)), "rank 1 waits for a rank without a log to receive 4096 float from it");
}

TEST(MessageText, GivesBothSizes) {
  WaitingMessage waiting = message();
  waiting.send = call(Operation::kSend, 100, 2);
  waiting.receive = call(Operation::kReceive, 200, 1);
  EXPECT_EQ(text_of(described(waiting)), "rank 1 sends 100 float, but rank 2 receives 200 float");
}

TEST(CircleText, ListsEachRankAndTheOneItWaitsFor) {
  const std::vector<RankWait> circle = {{0, 1, "A", call(Operation::kAllReduce, 8)},
                                        {1, 0, "pp", call(Operation::kSend, 8, 0)}};
  EXPECT_EQ(text_of(described(circle)),
            "rank 0 waits in number 7 of A (all_reduce) for rank 1; rank 1 waits in a message on pp for rank 0");
}

TEST(HangFinding, SaysThatTheJobWaitsForARankThatIsAlive) {
  RunMetrics metrics;
  metrics.progress.is_stuck = true;
  metrics.progress.suspects = {{2, SuspectReason::kElsewhere}};
  metrics.progress.inside_nccl = {0};
  std::vector<Finding> found;
  add_progress_findings(RunFacts(), metrics, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(text_of(found[0].title), "The job waits; look at rank 2: it has not come to where the others wait");
  EXPECT_NE(text_of(found[0].advice).find("It may still come"), std::string::npos);
}

TEST(HangFinding, NamesSuspectsWithReasonsAndTheWaitingRanks) {
  RunMetrics metrics;
  JobProgress& progress = metrics.progress;
  progress.is_stuck = true;
  progress.suspects = {{1, SuspectReason::kSilent}, {2, SuspectReason::kElsewhere}, {3, SuspectReason::kSilent}};
  CommunicatorState state;
  state.name = "dp";
  state.is_stuck = true;
  state.waiting.emplace();
  state.waiting->call = call(Operation::kAllReduce, 8);
  state.waiting->waited = 12'300'000'000;
  state.waiting->entered = {0};
  progress.communicators.push_back(state);
  progress.ranks.resize(2);
  progress.ranks[1].rank = 2;
  progress.ranks[1].progress.source_line = "loader.py:5 read";
  std::vector<Finding> found;
  add_progress_findings(RunFacts(), metrics, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(
      text_of(found[0].title),
      "The job hangs; look at ranks 1, 3: no sign of life; its process was killed or stopped, or its host is gone; "
      "look at rank 2: it has not come to where the others wait");
  EXPECT_EQ(text_of(found[0].evidence), "rank 0 has waited up to 12.3 s in number 7 of dp, all_reduce of 8 float");
  EXPECT_EQ(found[0].where, "loader.py:5 read");
  EXPECT_EQ(found[0].ranks, (std::vector<int32_t>{1, 2, 3}));
}

}  // namespace
}  // namespace tauprof
