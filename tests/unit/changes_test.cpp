#include "replay/changes.h"

#include <functional>

#include "run_builder.h"

namespace tauprof {
namespace {

// A rank's step: kernels of 100, 200 and 40 in line, 340 in all.
class ChangesTest : public testing::Test {
 protected:
  ChangesTest() : builder_(1) {
    auto process = std::make_shared<ProcessOperations>();
    process->names = {"a", "b", "c"};
    Nanoseconds start = 0;
    for (const Nanoseconds length : {100, 200, 40}) {
      OperationLabel operation;
      operation.name = static_cast<uint32_t>(process->operations.size());
      operation.step = 0;
      operation.kind = OperationKind::kCompute;
      process->first_edge.push_back(static_cast<uint32_t>(process->edges.size()));
      if (operation.name > 0) process->edges.push_back({operation.name - 1, EdgeKind::kStream});
      process->operations.push_back(operation);
      process->times.push_back({start, start + length});
      start += length;
    }
    process->first_edge.push_back(static_cast<uint32_t>(process->edges.size()));
    process->step_numbers = {0};
    process->steps = {{{.number = 0, .first = 0, .last_works = {2}}}};
    process->lags.resize(1);
    builder_.ranks()[0].operations = process;
    StepSelection steps;
    steps.numbers = {0};
    run_.emplace(builder_.ranks(), std::vector<MatchedCollective>(), steps);
    EXPECT_EQ(run_->reason(), "");
  }

  using Change = std::function<void(Changes&)>;
  // The step with both, whichever comes first.
  double step(
      const Change& one, const Change& other = [](Changes&) {}) {
    Changes changes(*run_), reverse(*run_);
    one(changes), other(changes);
    other(reverse), one(reverse);
    EXPECT_EQ(changes.replayed().step_ns, reverse.replayed().step_ns);
    EXPECT_EQ(Changes(*run_).replayed().step_ns, 340);  // a replay leaves the run as it was
    return changes.replayed().step_ns;
  }

  RunBuilder builder_;
  std::optional<RunGraph> run_;
};

TEST_F(ChangesTest, AnExampleIsMeantAsItIsInTheChangedRun) {
  EXPECT_EQ(step([](Changes& c) { c.copy_peer(1, 0); }), 240);
  EXPECT_EQ(step([](Changes& c) { c.copy_peer(1, 0); }, [](Changes& c) { c.copy_other_step(0, 2); }), 120);
  EXPECT_EQ(step([](Changes& c) { c.copy_other_step(1, 0); }, [](Changes& c) { c.set_duration(0, 60); }), 160);
  EXPECT_EQ(step([](Changes& c) { c.copy_peer(1, 0); }, [](Changes& c) { c.set_amount(0, 0.5); }), 140);
}

TEST_F(ChangesTest, WhatFollowsAnExampleThatIsGoneIsGone) {
  EXPECT_EQ(step([](Changes& c) { c.copy_peer(1, 0); }, [](Changes& c) { c.remove(0); }), 40);
}

TEST_F(ChangesTest, AnotherStepComesBeforeAPeerAndThatBeforeATime) {
  EXPECT_EQ(step([](Changes& c) { c.copy_peer(1, 0); }, [](Changes& c) { c.copy_other_step(1, 2); }), 180);
  EXPECT_EQ(step([](Changes& c) { c.copy_peer(1, 0); }, [](Changes& c) { c.set_duration(1, 10); }), 240);
  EXPECT_EQ(step([](Changes& c) { c.copy_other_step(1, 2); }, [](Changes& c) { c.set_amount(1, 0.1); }), 180);
  EXPECT_EQ(step([](Changes& c) { c.set_duration(1, 30); }, [](Changes& c) { c.set_duration(1, 10); }), 150);
}

TEST_F(ChangesTest, ExamplesInACircleTakeWhatTheShortestTakes) {
  EXPECT_EQ(step([](Changes& c) { c.copy_peer(0, 1); }, [](Changes& c) { c.copy_other_step(1, 0); }), 240);
}

TEST_F(ChangesTest, ASpeedIsItsOwnWhateverItsExampleHas) {
  EXPECT_EQ(step([](Changes& c) { c.copy_peer(1, 0); },
                 [](Changes& c) {
                   c.scale(0, 0.5);
                   c.scale(1, 0.5);
                 }),
            140);
}

}  // namespace
}  // namespace tauprof
