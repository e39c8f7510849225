#include "replay/contention.h"

#include "replay/scenario.h"
#include "run_builder.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

// Steps of two ranks. The second kernel runs beside an all-reduce, and takes as long as the test says:
//
//   stream 1   |gemm 100|gemm 125     | wait |tail 50|
//   stream 2            |all_reduce 150      |
class ContentionTest : public testing::Test {
 protected:
  struct Shape {
    Nanoseconds beside = 125;    // the second kernel, in µs
    uint16_t other_work = 0;     // not 0: the second kernel does something else
    int64_t long_steps = 0;      // the first steps' tail takes 150
    bool is_told_apart = false;  // the kernel is away from communication on rank 1 only, and beside it on rank 0 only
    uint16_t work_of_tail = 0;   // of rank 1
  };
  static constexpr int64_t kSteps = 20;
  static constexpr uint32_t kOperations = 4;  // of a step

  void make(Shape shape, uint64_t most_operations = UINT64_MAX) {
    for (int rank = 0; rank < 2; ++rank) make_rank(rank, shape);
    for (int64_t step = 0; step < kSteps; ++step) steps_.numbers.insert(step);
    matches_ = match_collectives(builder_.ranks());
    run_.emplace(builder_.ranks(), matches_, steps_, most_operations);
    ASSERT_EQ(run_->reason(), "");
  }

  void make_rank(int rank, Shape shape) {
    auto process = std::make_shared<ProcessOperations>();
    process->names = {"gemm", "ncclDevKernel", "tail"};
    process->lags.resize(1);
    process->steps.resize(1);
    Nanoseconds t = 0;
    for (int64_t step = 0; step < kSteps; ++step) {
      const auto first = static_cast<uint32_t>(process->operations.size());
      const Nanoseconds tail = step < shape.long_steps ? 150 : 50;
      const auto add = [&](uint32_t name, OperationKind kind, Nanoseconds start, Nanoseconds length, uint16_t work,
                           std::vector<OperationEdge> edges) {
        OperationLabel operation;
        operation.name = name;
        operation.step = static_cast<int32_t>(step);
        operation.kind = kind;
        operation.phase = Phase::kBackward;
        operation.work = work;
        if (kind == OperationKind::kComm) operation.collective = static_cast<uint32_t>(step);
        process->first_edge.push_back(static_cast<uint32_t>(process->edges.size()));
        process->edges.insert(process->edges.end(), edges.begin(), edges.end());
        process->operations.push_back(operation);
        process->times.push_back({t + start * kMicro, t + (start + length) * kMicro});
      };
      using enum OperationKind;
      add(0, kCompute, 0, 100, shape.is_told_apart && rank == 0 ? 8 : 0,
          first == 0 ? std::vector<OperationEdge>() : std::vector<OperationEdge>{{first - 1, EdgeKind::kStream}});
      add(1, kComm, 100, 150, 0, {{first, EdgeKind::kEvent}});
      add(0, kCompute, 100, shape.beside, shape.is_told_apart && rank == 1 ? 9 : shape.other_work,
          {{first, EdgeKind::kStream}});
      add(2, kCompute, 250, tail, rank == 1 ? shape.work_of_tail : 0,
          {{first + 2, EdgeKind::kStream}, {first + 1, EdgeKind::kEvent}});
      RankCollective& own = builder_.collective(rank, t + 100 * kMicro, t + 250 * kMicro);
      own.communicator_size = 2;
      own.communicator_rank = rank;
      own.is_split = true;
      own.ready = t + 100 * kMicro;
      const bool is_last = step + 1 == kSteps;
      OperationStep& added = process->steps[0].emplace_back(OperationStep{.number = step, .first = first});
      if (is_last)
        added.last_works = {first + 3};
      else
        added.next = first + kOperations;
      process->step_numbers.push_back(step);
      t += (250 + tail) * kMicro;
    }
    process->first_edge.push_back(static_cast<uint32_t>(process->edges.size()));
    builder_.ranks()[rank].operations = process;
  }

  Answer answer(const std::string& option, const std::string& value) {
    WhatIf what_if(*run_, builder_.ranks(), matches_, links_, {});
    Scenario scenario(1);
    EXPECT_EQ(read_question(option, value, scenario.front()), "");
    return what_if.answer(scenario);
  }

  RunBuilder builder_{2};
  StepSelection steps_;
  LinkModel links_;
  std::vector<MatchedCollective> matches_;
  std::optional<RunGraph> run_;
};

TEST_F(ContentionTest, KernelsLoseWhatTheyTakeLongerBesideCommunication) {
  make({});
  ASSERT_TRUE(run_->contention().is_known());
  EXPECT_NEAR(*run_->contention().loss(), 0.2, 1e-6);
}

TEST_F(ContentionTest, AKernelWhoseCommunicationGoesIsAsFastAsAway) {
  make({});
  const Answer gone = answer("without", "communication");
  EXPECT_NEAR(*gone.step_ns, 250 * kMicro, 10);
  EXPECT_NEAR(gone.contention_ns, 25 * kMicro, 10);
}

TEST_F(ContentionTest, AKernelIsSlowerWhileCommunicationLasts) {
  make({});
  const Answer faster = answer("speed", "op:all_reduce=2x");
  EXPECT_NEAR(*faster.step_ns, 265 * kMicro, 10);
  EXPECT_NEAR(faster.contention_ns, 10 * kMicro, 10);
  EXPECT_NEAR(*answer("speed", "op:all_reduce=0.5x").step_ns, 450 * kMicro, 10);
}

TEST_F(ContentionTest, ARunWithoutChangesStaysAsItIs) {
  make({});
  const Answer same = answer("speed", "kernel:gemm=1x");
  EXPECT_NEAR(*same.step_ns, run_->mean_step(run_->measured()), 2);
  EXPECT_NEAR(same.contention_ns, 0, 2);
}

TEST_F(ContentionTest, KernelsThatAreAsFastBesideCommunicationLoseNothing) {
  make({100});
  EXPECT_FALSE(run_->contention().is_known());
  EXPECT_NEAR(*answer("without", "communication").step_ns, 250 * kMicro, 10);
}

TEST_F(ContentionTest, OtherWorkUnderTheSameNameIsNotCompared) {
  make({125, 7});
  EXPECT_FALSE(run_->contention().is_known());
}

TEST_F(ContentionTest, AKernelThatIsAlwaysBesideIsComparedWithOtherRanks) {
  make({.is_told_apart = true});
  ASSERT_TRUE(run_->contention().is_known());
  EXPECT_NEAR(*run_->contention().loss(), 0.2, 1e-6);
}

TEST_F(ContentionTest, RanksWhoseSpeedsCannotBeComparedTellNothing) {
  make({.is_told_apart = true, .work_of_tail = 1});
  EXPECT_FALSE(run_->contention().is_known());
}

TEST_F(ContentionTest, OfARunThatDoesNotFitTheTypicalStepsAreReplayed) {
  make({125, 0, 8}, 6 * 2 * kOperations);
  EXPECT_EQ(run_->step_lengths(run_->measured()).size(), 5u);
  EXPECT_NEAR(run_->mean_step(run_->measured()), 300 * kMicro, 10);
  EXPECT_EQ(run_->limited_to().substr(0, 13), "steps 8 to 12");
  EXPECT_NEAR(*answer("speed", "kernel:tail=2x").step_ns, 275 * kMicro, 10);
}

}  // namespace
}  // namespace tauprof
