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

}  // namespace
}  // namespace tauprof
