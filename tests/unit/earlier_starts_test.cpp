#include "undisturbed/earlier_starts.h"

#include "trace_builder.h"
#include "undisturbed/simulated_program.h"

namespace tauprof {
namespace {

// A kernel of each step starts when half of its call of 200 us is over, and another waits for the kernel before it.
class EarlierStartsTest : public testing::Test {
 protected:
  void SetUp() override {
    SimulatedProgram program;
    program.launch(100 * kMicro, 200 * kMicro, 500 * kMicro);
    program.launch(2 * kMicro, 4 * kMicro, 50 * kMicro);
    program.wait(2 * kMicro, 2 * kMicro, 2 * kMicro);
    run_.take(program.run({}));
  }
  // Of the n-th launch of a step in the midst: the host's work before the call, and the kernel.
  OperationId before(uint32_t launch) { return host(launch); }
  OperationId kernel(uint32_t launch) { return run_.graph().id_of(0, 2 * kStep + launch); }
  OperationId host(uint32_t launch) { return run_.graph().id_of(0, 2 * (kSteps + 1) + kStep * 6 + 2 * launch); }
  Nanoseconds lag(const Schedule<Nanoseconds>& schedule, uint32_t launch) {
    return schedule[kernel(launch)].start - schedule[before(launch)].end;
  }
  Nanoseconds lag_with(const EarlierStarts& earlier, uint32_t launch) {
    Changes changes(run_.graph());
    earlier.apply(changes);
    return lag(changes.replayed().schedule, launch);
  }

  static constexpr uint32_t kStep = 10, kSteps = SimulatedProgram::kSteps;
  SimulatedRun run_;
};

TEST_F(EarlierStartsTest, AShorterCallComesToItsLaunchAsMuchEarlier) {
  const Nanoseconds was = lag(run_.graph().measured(), 0);
  ASSERT_EQ(was, 104 * kMicro);
  EarlierStarts earlier(run_.graph());
  earlier.shorten_call(before(0), 200 * kMicro, 100 * kMicro);
  EXPECT_EQ(lag_with(earlier, 0), was / 2);
}

TEST_F(EarlierStartsTest, ALongerCallChangesNothing) {
  EarlierStarts earlier(run_.graph());
  earlier.shorten_call(before(0), 200 * kMicro, 300 * kMicro);
  EXPECT_EQ(lag_with(earlier, 0), lag(run_.graph().measured(), 0));
}

TEST_F(EarlierStartsTest, AKernelThatWaitedForAnotherStaysBehindIt) {
  EarlierStarts earlier(run_.graph());
  earlier.shorten_call(before(1), 4 * kMicro, 1 * kMicro);
  EXPECT_EQ(lag_with(earlier, 1), lag(run_.graph().measured(), 1));
}

TEST_F(EarlierStartsTest, PausesShrinkByTheShareButNotBelowNothing) {
  const auto pause = [&](const Schedule<Nanoseconds>& schedule) {
    return schedule[kernel(1)].start - schedule[kernel(0)].end;
  };
  const Nanoseconds was = pause(run_.graph().measured());
  ASSERT_EQ(was, 800);
  for (const auto& [share, less] : {std::pair<Nanoseconds, Nanoseconds>{300, 300}, {5000, 800}}) {
    Changes changes(run_.graph());
    changes.start_earlier(share);
    EXPECT_EQ(pause(changes.replayed().schedule), was - less);
  }
}

}  // namespace
}  // namespace tauprof
