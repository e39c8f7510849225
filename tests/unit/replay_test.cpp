#include "replay/replay.h"

#include <vector>
namespace tauprof {
namespace {

// Operations by hand: each after those named, with its duration and the time at which it was seen to start.
class ReplayTest : public testing::Test {
 protected:
  using Graph = OperationGraph<int64_t>;

  OperationId add(int64_t duration, std::vector<Graph::Edge> edges = {}) { return graph_.add(duration, edges); }
  void meet(std::vector<OperationId> members) { graph_.add_meeting(members); }

  std::vector<int64_t> ends() {
    EXPECT_TRUE(graph_.sort());
    replay(graph_, schedule_);
    return scheduled_ends();
  }
  std::vector<int64_t> ends_with(OperationId changed, int64_t duration) {
    replay(
        graph_, [&](OperationId id) { return id == changed ? duration : graph_.duration(id); },
        [&](OperationId id) { return graph_.delay(id); }, schedule_);
    return scheduled_ends();
  }
  std::vector<int64_t> scheduled_ends() const {
    std::vector<int64_t> ends;
    for (const auto& one : schedule_) ends.push_back(one.end);
    return ends;
  }

  Graph graph_;
  Schedule<int64_t> schedule_;
};

TEST_F(ReplayTest, AnOperationStartsWhenTheLastBeforeItHasEnded) {
  const OperationId host = add(10);
  const OperationId kernel = add(100, {{host, 5}});
  const OperationId next_call = add(10, {{host, 0}});
  add(50, {{kernel, 1}, {next_call, 5}});
  EXPECT_EQ(ends(), (std::vector<int64_t>{10, 115, 20, 166}));
}

TEST_F(ReplayTest, AShorterOperationMovesWhatDependsOnItUntilAnotherHoldsThat) {
  const OperationId host = add(10);
  const OperationId kernel = add(100, {{host, 5}});
  const OperationId next_call = add(60, {{host, 0}});
  add(50, {{kernel, 1}, {next_call, 5}});
  ends();
  EXPECT_EQ(ends_with(kernel, 20), (std::vector<int64_t>{10, 35, 70, 125}));
}

TEST_F(ReplayTest, MembersOfACollectiveWaitForTheLast) {
  const OperationId early = add(0), late = add(30);
  const OperationId a = add(10, {{early, 0}}), b = add(10, {{late, 0}});
  meet({a, b});
  EXPECT_EQ(ends(), (std::vector<int64_t>{0, 30, 40, 40}));
  EXPECT_EQ(ends_with(late, 5), (std::vector<int64_t>{0, 5, 15, 15}));
}

TEST_F(ReplayTest, ABroadcastWaitsForItsRootOnly) {
  const OperationId late_root = add(20), late_leaf = add(50);
  const OperationId root = add(10, {{late_root, 0}}), leaf = add(10, {{late_leaf, 0}}), early = add(10);
  graph_.add_need(leaf, root);
  graph_.add_need(early, root);
  EXPECT_EQ(ends(), (std::vector<int64_t>{20, 50, 30, 60, 30}));
}

TEST_F(ReplayTest, AReductionToOneRankWaitsThereOnly) {
  const OperationId late_leaf = add(50);
  const OperationId root = add(10), leaf = add(10, {{late_leaf, 0}}), early = add(10);
  graph_.add_need(root, leaf);
  graph_.add_need(root, early);
  EXPECT_EQ(ends(), (std::vector<int64_t>{50, 60, 60, 10}));
}

// Three stages pass on to the next and receive from the one before, in one operation each.
TEST_F(ReplayTest, AChainOfMessagesWaitsForNeighboursOnly) {
  const OperationId late = add(40);
  const OperationId a = add(10), b = add(10), c = add(10, {{late, 0}});
  graph_.add_need(b, a);
  graph_.add_need(b, c);
  graph_.add_need(c, b);
  graph_.add_need(a, b);
  const OperationId next = add(5, {{a, 0}});
  EXPECT_EQ(ends(), (std::vector<int64_t>{40, 10, 50, 50, 15}));
  EXPECT_EQ(next, 4u);
}

TEST_F(ReplayTest, MeasuredTimesComeBackExactly) {
  const OperationId host = add(10);
  const OperationId kernel = add(100, {{host, 5}});
  const OperationId peer = add(7, {{kernel, 2}});
  const OperationId other = add(9, {{host, 0}});
  meet({peer, other});
  ASSERT_TRUE(graph_.sort());
  // The kernel starts 4 earlier than a launch usually takes, the peers late.
  const Schedule<int64_t> measured{{3, 13}, {14, 114}, {120, 127}, {40, 129}};
  set_delays(graph_, measured);
  EXPECT_EQ(graph_.delay(kernel), -4);
  replay(graph_, schedule_);
  EXPECT_EQ(schedule_, measured);
}

// Two kernels start 7 later behind their launch than is usual. Launched early, the one whose launch is known to be late
// follows the kernel before it as usual.
TEST_F(ReplayTest, ADelayBelongsToTheEdgeThatLetTheOperationGo) {
  const OperationId first = add(100), late = add(250);
  const OperationId of_launch = add(20, {{first, 2}, {late, 4}}), of_all = add(20, {{first, 2}, {late, 4}});
  ASSERT_TRUE(graph_.sort());
  graph_.set_delayed_edge(of_launch, 1);
  const Schedule<int64_t> measured{{0, 100}, {0, 250}, {261, 281}, {261, 281}};
  set_delays(graph_, measured);
  EXPECT_EQ(graph_.delay(of_launch), 7);
  EXPECT_EQ(graph_.delay(of_all), 7);
  replay(graph_, schedule_);
  EXPECT_EQ(schedule_, measured);
  EXPECT_EQ(ends_with(late, 200), (std::vector<int64_t>{100, 200, 231, 231}));
  EXPECT_EQ(ends_with(late, 50), (std::vector<int64_t>{100, 50, 122, 129}));
}

// The kernel before it had let it go after 3, not after the usual 4.
TEST_F(ReplayTest, AnOperationThatStartsEarlyShowsThatItsOtherEdgesAreShorter) {
  const OperationId before = add(100), host = add(104), kernel = add(10, {{before, 4}, {host, 5}});
  ASSERT_TRUE(graph_.sort());
  graph_.set_delayed_edge(kernel, 1);
  const Schedule<int64_t> measured{{0, 100}, {0, 104}, {103, 113}};
  set_delays(graph_, measured);
  replay(graph_, schedule_);
  EXPECT_EQ(schedule_, measured);
  EXPECT_EQ(ends_with(host, 0)[kernel], 113);
}

// Two ranks, whose operations were added rank by rank, meet and send each other messages.
TEST_F(ReplayTest, NumberedInOrderItEndsAtTheSameTimes) {
  const OperationId host_a = add(10), gather_a = add(5, {{host_a, 2}}), send = add(7, {{gather_a, 0}});
  const OperationId last_a = add(1, {{send, 0}});
  const OperationId host_b = add(3'000'000'000), gather_b = add(6, {{host_b, 1}}), receive = add(8, {{gather_b, 20}});
  meet({gather_a, gather_b});
  graph_.add_need(receive, send);
  graph_.add_need(send, receive);
  graph_.set_delay(last_a, 4'000'000'000);
  const std::vector<int64_t> before = ends();
  const std::vector<OperationId> number = graph_.number_in_order();
  replay(graph_, schedule_);
  for (OperationId id = 0; id < before.size(); ++id) EXPECT_EQ(schedule_[number[id]].end, before[id]) << id;
  for (OperationId id = 0; id < graph_.size(); ++id)
    for (const auto& edge : graph_.edges(id)) EXPECT_LT(edge.before, id);
  OperationId next = 0;  // those that come for the second time apart, each is the next one
  for (const OperationId operation : graph_.order()) next += operation == next;
  EXPECT_EQ(next, graph_.size());
}

TEST_F(ReplayTest, OperationsThatWaitForEachOtherAreRejected) {
  add(1, {{1, 0}});
  add(1, {{0, 0}});
  EXPECT_FALSE(graph_.sort());
}

TEST_F(ReplayTest, ACircleThroughACollectiveIsRejected) {
  const OperationId a = add(1), b = add(1, {{a, 0}});
  meet({a, b});
  EXPECT_FALSE(graph_.sort());
}

}  // namespace
}  // namespace tauprof
