#include "replay/bucket_sizes.h"

#include "run_builder.h"

namespace tauprof {
namespace {

// Two ranks whose backward pass has two kernels of 100, and an optimizer that waits for the gradients. An all-reduce
// takes 20, and 5 for each 1000 bytes:
//
//   one bucket    |first 100|second 100|             |optimizer 50|
//                                      |4000 bytes 40|
//   two buckets   |first 100|second 100|          |optimizer 50|
//                           |2000: 30| |2000: 30  |
class BucketSizesTest : public testing::Test {
 protected:
  BucketSizesTest() : builder_(2) {
    steps_.numbers = {0};
    LinkFit fit;
    fit.kind = {log::Operation::kAllReduce, 2, 0, CollectiveAlgorithm::kUnknown};
    fit.steps = 2;
    fit.factor = 1;
    fit.from_bytes = 1000;
    fit.to_bytes = 8000;
    fit.sizes = 4;
    fit.line = fit.nearby = TransferLine{.latency_ns = 20, .ns_per_byte = 0.005};
    links_.fits = {fit};
  }

  uint32_t add(ProcessOperations& process, Interval time, OperationKind kind, Phase phase,
               std::vector<OperationEdge> edges) {
    OperationLabel operation;
    operation.step = 0;
    operation.kind = kind;
    operation.phase = phase;
    process.first_edge.push_back(static_cast<uint32_t>(process.edges.size()));
    process.edges.insert(process.edges.end(), edges.begin(), edges.end());
    process.operations.push_back(operation);
    process.times.push_back(time);
    return static_cast<uint32_t>(process.operations.size() - 1);
  }

  // The host's part of launching something at `time`. Returns what the launched work comes after.
  uint32_t launch(ProcessOperations& process, Nanoseconds time) {
    const uint32_t last = process.operations.empty() ? kNoIndex : static_cast<uint32_t>(process.operations.size() - 1);
    std::vector<OperationEdge> edges;
    if (last != kNoIndex) edges.push_back({last, EdgeKind::kThread});
    const uint32_t before = add(process, {time, time + 1}, OperationKind::kBetween, Phase::kBackward, edges);
    add(process, {time + 1, time + 3}, OperationKind::kCall, Phase::kBackward, {{before, EdgeKind::kThread}});
    return before;
  }

  void all_reduce(int rank, Interval time, int64_t count) {
    RankCollective& own = builder_.collective(rank, time.start, time.end, 1, log::Operation::kAllReduce, count);
    own.communicator_size = 2;
    own.communicator_rank = rank;
    own.is_split = true;
    own.ready = time.start;
  }

  // `is_needed`: the second kernel waits for the first all-reduce.
  void set_up(bool has_two, bool is_needed = false) {
    for (int rank = 0; rank < 2; ++rank) {
      ProcessOperations process;
      process.names = {""};
      const uint32_t first_launch = launch(process, 0), first_reduce_launch = has_two ? launch(process, 3) : 0,
                     second_launch = launch(process, 6), reduce_launch = launch(process, 9),
                     optimizer_launch = launch(process, 12);
      const auto work = [&](Interval time, OperationKind kind, Phase phase, std::vector<OperationEdge> edges) {
        return add(process, time, kind, phase, std::move(edges));
      };
      const Nanoseconds start = 20;
      const auto kernel = OperationKind::kCompute;
      const uint32_t first = work({start, start + 100}, kernel, Phase::kBackward, {{first_launch, EdgeKind::kLaunch}});
      uint32_t first_reduce = kNoIndex;
      if (has_two) {
        const Interval time{start + 100, start + 130};
        first_reduce = work(time, OperationKind::kComm, Phase::kBackward,
                            {{first_reduce_launch, EdgeKind::kLaunch}, {first, EdgeKind::kEvent}});
        process.operations[first_reduce].collective = 0;
        all_reduce(rank, time, 500);
      }
      std::vector<OperationEdge> edges{{first, EdgeKind::kStream}, {second_launch, EdgeKind::kLaunch}};
      if (is_needed) edges.push_back({first_reduce, EdgeKind::kEvent});
      const Nanoseconds shift = is_needed ? 30 : 0;
      const uint32_t second = work({start + 100 + shift, start + 200 + shift}, kernel, Phase::kBackward, edges);
      const Interval time{start + 200 + shift, start + shift + (has_two ? 230 : 240)};
      edges = {{reduce_launch, EdgeKind::kLaunch}, {second, EdgeKind::kEvent}};
      if (has_two) edges.insert(edges.begin(), {first_reduce, EdgeKind::kStream});
      const uint32_t reduce = work(time, OperationKind::kComm, Phase::kBackward, edges);
      process.operations[reduce].collective = has_two ? 1 : 0;
      all_reduce(rank, time, has_two ? 500 : 1000);
      const uint32_t last =
          work({time.end, time.end + 50}, kernel, Phase::kOptimStep,
               {{second, EdgeKind::kStream}, {optimizer_launch, EdgeKind::kLaunch}, {reduce, EdgeKind::kEvent}});
      process.first_edge.push_back(static_cast<uint32_t>(process.edges.size()));
      process.step_numbers = {0};
      process.steps = {{{.number = 0, .first = first, .last_works = {last}}}};
      process.lags.resize(1);
      processes_.push_back(std::move(process));
    }
  }

  Answer with(double bytes) {
    for (int rank = 0; rank < 2; ++rank)
      builder_.ranks()[rank].operations = std::make_shared<ProcessOperations>(processes_[rank]);
    const std::vector<MatchedCollective> matches = match_collectives(builder_.ranks());
    const RunGraph run(builder_.ranks(), matches, steps_);
    EXPECT_EQ(run.reason(), "");
    return BucketSizes(run, builder_.ranks(), matches, links_).with(bytes);
  }

  RunBuilder builder_;
  std::vector<ProcessOperations> processes_;  // by rank; a graph takes a copy
  StepSelection steps_;
  LinkModel links_;
};

TEST_F(BucketSizesTest, ABucketIsCutWhereItsBytesAreReady) {
  set_up(false);
  EXPECT_EQ(with(4000).step_ns, 290);
  EXPECT_EQ(with(2000).step_ns, 280);
  // 3000 bytes are ready with the second kernel, as are the other 1000: 35 + 25.
  EXPECT_EQ(with(3000).step_ns, 310);
}

TEST_F(BucketSizesTest, BucketsAreJoinedWhenTheLastOfThemIsReady) {
  set_up(true);
  EXPECT_EQ(with(2000).step_ns, 280);
  EXPECT_EQ(with(4000).step_ns, 290);
  EXPECT_EQ(with(1e9).step_ns, 290);
}

TEST_F(BucketSizesTest, BucketsThatTookLongerThanTheirLineDoSoInOtherSizes) {
  set_up(false);
  links_.fits[0].line = TransferLine{.latency_ns = 10, .ns_per_byte = 0.0025};
  EXPECT_EQ(with(4000).step_ns, 290);
  EXPECT_EQ(with(2000).step_ns, 280);
}

TEST_F(BucketSizesTest, AnAllReduceThatTheBackwardPassNeedsIsNoBucket) {
  set_up(true, true);
  EXPECT_FALSE(with(4000).step_ns);
  EXPECT_NE(with(4000).reason.find("no all_reduce or reduce_scatter of gradients"), std::string::npos);
}

TEST_F(BucketSizesTest, ASizeFarFromThoseSeenTellsNothing) {
  set_up(false);
  EXPECT_EQ(with(100).reason,
            "how long all_reduce of 100 bytes on 2 ranks takes is not told by the sizes that were seen");
  links_.fits.clear();
  EXPECT_FALSE(with(4000).step_ns);
}

}  // namespace
}  // namespace tauprof
