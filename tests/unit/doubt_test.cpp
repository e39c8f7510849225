#include "replay/doubt.h"

#include "run_builder.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

// A kernel of 100 us behind one of 400 us on another stream, as is assumed, and one in its own stream:
//
//   a  |400                     |
//   b  |380            |           > c |100|
class DoubtTest : public testing::Test {
 protected:
  DoubtTest() : builder_(1) {}

  // The answer for the step if this kernel takes so long.
  Answer answer_if(OperationId changed, Nanoseconds length) {
    auto process = std::make_shared<ProcessOperations>();
    process->names = {"a", "b", "c"};
    process->times = {{0, 400 * kMicro}, {0, 380 * kMicro}, {400 * kMicro, 500 * kMicro}};
    for (uint32_t i = 0; i < 3; ++i) {
      OperationLabel operation;
      operation.name = i;
      operation.step = 0;
      operation.kind = OperationKind::kCompute;
      process->operations.push_back(operation);
    }
    process->first_edge = {0, 0, 0, 2};
    process->edges = {{1, EdgeKind::kStream}, {0, EdgeKind::kEvent, true}};
    process->step_numbers = {0};
    process->steps = {{{.number = 0, .first = 0, .last_works = {2}}}};
    process->lags.resize(1);
    builder_.ranks()[0].operations = process;
    StepSelection steps;
    steps.numbers = {0};
    RunGraph run(builder_.ranks(), {}, steps);
    EXPECT_EQ(run.reason(), "");
    EXPECT_EQ(run.explained_share(), 0);
    Changes changes(run);
    changes.set_duration(changed, length * kMicro);
    return answered(run, changes);
  }

  RunBuilder builder_;
};

TEST_F(DoubtTest, TheTruthLiesBetweenAWaitThatStaysAndOneThatGoes) {
  const Answer answer = answer_if(0, 390);
  EXPECT_EQ(answer.step_ns, 490 * kMicro);
  ASSERT_TRUE(answer.bounds);
  EXPECT_EQ(answer.bounds->least_ns, 490 * kMicro);
  EXPECT_EQ(answer.bounds->most_ns, 500 * kMicro) << "if c waits for something else";
  EXPECT_EQ(answer.rests_on, std::vector<std::string>{"c"});
}

// Without its wait, c would have started 20 us earlier in any case; that is not due to the change.
TEST_F(DoubtTest, WhatAWaitHidesAnywayIsNoSaving) {
  const Answer answer = answer_if(1, 370);
  EXPECT_EQ(answer.step_ns, 500 * kMicro);
  ASSERT_TRUE(answer.bounds);
  EXPECT_EQ(answer.bounds->least_ns, 490 * kMicro);
}

TEST_F(DoubtTest, WhatMayBeAnythingIsNotSaid) {
  const Answer answer = answer_if(1, 100);
  EXPECT_FALSE(answer.step_ns);
  EXPECT_EQ(answer.reason, "between 0.22 and 0.5 ms, because the records do not tell how long it waits in c");
}

// The host waits 10 ms for input, and its kernel takes 100. Where other processes load ahead, a kernel of 95 ms may
// only let it wait for longer.
class WaitForInput : public testing::Test {
 protected:
  Answer answer_if(uint32_t changed, Nanoseconds milliseconds, const char* workers) {
    RunBuilder builder(1);
    auto process = std::make_shared<ProcessOperations>();
    process->names = {"cudaLaunchKernel", "a"};
    process->times = {{0, 10'000 * kMicro}, {10'000 * kMicro, 10'000 * kMicro}, {10'000 * kMicro, 110'000 * kMicro}};
    for (const OperationKind kind : {OperationKind::kBetween, OperationKind::kCall, OperationKind::kCompute}) {
      OperationLabel operation;
      operation.step = 0;
      operation.kind = kind;
      if (kind == OperationKind::kBetween) operation.row = LedgerRow::kIdleDataWait;
      process->operations.push_back(operation);
    }
    process->first_edge = {0, 0, 1, 2};
    process->edges = {{0, EdgeKind::kThread}, {0, EdgeKind::kLaunch}};
    process->step_numbers = {0};
    process->steps = {{{.number = 0, .first = 0, .last_works = {2}}}};
    process->lags.resize(1);
    builder.ranks()[0].operations = process;
    builder.ranks()[0].settings["loader.workers"] = workers;
    StepSelection steps;
    steps.numbers = {0};
    RunGraph run(builder.ranks(), {}, steps);
    EXPECT_EQ(run.reason(), "");
    before_ = run.mean_step(run.measured());
    Changes changes(run);
    if (changed == 0)
      changes.remove_wait(run.id_of(0, changed), 0);
    else
      changes.set_duration(run.id_of(0, changed), milliseconds * 1000 * kMicro);
    return answered(run, changes);
  }
  double before_ = 0;
};

TEST_F(WaitForInput, MayBecomeLongerByWhatElseBecomesShorter) {
  const Answer answer = answer_if(2, 95, "4");
  ASSERT_TRUE(answer.bounds);
  EXPECT_EQ(answer.bounds->least_ns, before_ - 5e6);
  EXPECT_EQ(answer.bounds->most_ns, before_);
  EXPECT_EQ(
      answer_if(2, 50, "4").reason,
      "between 60 and 110 ms, because the records do not tell how fast its loaders would be: steps wait for input "
      "already");
}

TEST_F(WaitForInput, IsAsLongAsItWasIfTheThreadItselfLoads) { EXPECT_FALSE(answer_if(2, 95, "0").bounds); }

TEST_F(WaitForInput, IsGoneForCertainWhereThatWasTheQuestion) { EXPECT_FALSE(answer_if(0, 0, "4").bounds); }

}  // namespace
}  // namespace tauprof
