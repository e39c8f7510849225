// Collectives in graphs whose nodes have no records: they are counted and matched at each launch, without times.
#include <gtest/gtest.h>

#include "findings/health.h"
#include "metrics/run/run_metrics.h"
#include "metrics/run/timeline_of_rank.h"
#include "report/statement_text.h"
#include "run_builder.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

// Two steps of 1000 ns on the host. Each launches a graph that holds two all-reduces, and computes before it.
class GraphCollectives : public testing::Test {
 protected:
  void Launch(Nanoseconds start, bool has_nodes) {
    builder_.call("cudaLaunchKernel", start, start + 10).call_class = CallClass::kKernel;
    builder_.span(start + 20, start + 100);
    builder_.call("cudaGraphLaunch", start + 50, start + 60).call_class = CallClass::kKernel;
    const auto launch = static_cast<uint32_t>(Trace().calls.size() - 1);
    const uint32_t span = builder_.span(start + 100, start + 900);
    Trace().devices.front().spans[span].activity = has_nodes ? log::ActivityKind::kKernel : log::ActivityKind::kGraph;
    for (int i = 0; i < 2; ++i) {
      HostCall& call = builder_.call("ncclAllReduce", start + 50, start + 50);
      call.call_class = CallClass::kCollective;
      call.outer = launch;
      call.collective = static_cast<uint32_t>(collectives_.size());
      CollectiveCall& made = collectives_.emplace_back();
      made.communicator = 1;
      made.sequence = static_cast<int64_t>(collectives_.size());
      made.count = 1000;
      made.datatype = log::DataType::kFloat32;
      made.operation = log::Operation::kAllReduce;
    }
  }

  ProcessTrace& Trace() { return builder_.build(); }

  RankTimeline Timeline() {
    ProcessTrace& trace = Trace();
    Communicator& world = trace.communicators[1];
    world.identity = 7;
    world.size = 2;
    trace.collectives = collectives_;
    for (uint32_t i = 0; i < trace.calls.size(); ++i) {
      trace.calls[i].step = static_cast<int32_t>(trace.calls[i].start / 1000);
      if (trace.calls[i].collective != kNoIndex) trace.collectives[trace.calls[i].collective].call = i;
    }
    for (int64_t step = 0; step < 2; ++step) trace.steps.push_back({step, 1000 * step, 1000 * step + 1000});
    return timeline_of_rank(trace, trace.devices.front(), std::vector<HostTimes>(2), std::nullopt,
                            PhaseRules::shipped());
  }

  TraceBuilder builder_;
  std::vector<CollectiveCall> collectives_;
};

TEST_F(GraphCollectives, BelongToTheWindowInWhichTheGraphStarts) {
  for (const Nanoseconds start : {0, 1000}) Launch(start, false);
  const RankTimeline rank = Timeline();
  EXPECT_TRUE(rank.is_timed());
  EXPECT_TRUE(rank.collectives.empty());
  ASSERT_EQ(rank.untimed_collectives.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(rank.untimed_collectives[i].sequence, static_cast<int64_t>(i + 1));
    EXPECT_EQ(rank.untimed_collectives[i].step, static_cast<int32_t>(i / 2));
    EXPECT_EQ(rank.untimed_collectives[i].launch_end, 1000 * static_cast<Nanoseconds>(i / 2) + 60);
  }
}

TEST_F(GraphCollectives, OfGraphsWithRecordsOfNodesAreNotAmongThem) {
  for (const Nanoseconds start : {0, 1000}) Launch(start, true);
  EXPECT_TRUE(Timeline().untimed_collectives.empty());
}

TEST_F(GraphCollectives, AreMatchedWithThoseOfRanksThatHaveTheirTimes) {
  RunBuilder run(2);
  for (const int rank : {0, 1}) {
    run.collective(rank, 100, 200 + rank).sequence = 1;
    run.collective(rank, 300, 400).sequence = 2;
  }
  for (RankTimeline& rank : run.ranks())
    for (RankCollective& unit : rank.collectives) unit.communicator_size = 2;
  // Rank 1's second runs in a graph.
  RankTimeline& other = run.ranks()[1];
  other.untimed_collectives.push_back(other.collectives.back());
  other.collectives.pop_back();
  RankCollective& unit = other.untimed_collectives.front();
  unit.start = unit.end = 0;

  const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_TRUE(matches[0].is_complete());
  EXPECT_EQ(matches[1].members.size(), 1u);
  ASSERT_EQ(matches[1].untimed.size(), 1u);
  EXPECT_EQ(&called(run.ranks(), matches[1].untimed.front()), &unit);

  const RunMetrics metrics = run_metrics(run.ranks(), match_collectives(run.ranks()), std::nullopt, std::nullopt);
  ASSERT_EQ(metrics.communication.collectives.size(), 1u);
  EXPECT_EQ(metrics.communication.collectives[0].count, 2u);
  EXPECT_EQ(metrics.communication.collectives_in_graphs, 1u);
  EXPECT_EQ(metrics.communication.waits.split, 1u);
  EXPECT_EQ(metrics.communication.wait_table.by_rank[1].second.untimed, 1u);
  EXPECT_TRUE(metrics.communication.mismatches.empty());
}

TEST_F(GraphCollectives, AreWhatTheChecksCannotSay) {
  RunBuilder run(2);
  for (const int rank : {0, 1}) {
    run.collective(rank, 0, 0).sequence = 1;
    std::swap(run.ranks()[rank].collectives, run.ranks()[rank].untimed_collectives);
    run.ranks()[rank].untimed_collectives.front().communicator_size = 2;
  }
  const RunMetrics metrics = run_metrics(run.ranks(), match_collectives(run.ranks()), std::nullopt, std::nullopt);
  ASSERT_EQ(metrics.communication.collectives.size(), 1u);
  EXPECT_EQ(metrics.communication.collectives[0].untimed, 1u);
  EXPECT_FALSE(metrics.communication.collectives[0].exposed_ns);
  RunFacts facts;
  facts.ranks = 2;
  for (const HealthCheck& check : health_of(facts, metrics)) {
    if (check.id != std::string("stragglers")) continue;
    EXPECT_EQ(check.outcome, HealthOutcome::kUnknown);
    EXPECT_NE(text_of(check.found).find("the times of 2 collectives in CUDA graphs are not known"), std::string::npos);
  }
}

}  // namespace
}  // namespace tauprof
