// The report's host without the recorder: programs are simulated twice, with a host that a recorder slows and without,
// and the first run with the second one's host times must take what the second one takes.
#include <gtest/gtest.h>

#include "trace_builder.h"
#include "undisturbed/simulated_program.h"
#include "undisturbed/undisturbed_run.h"

namespace tauprof {
namespace {

double relative(double value, double truth) { return value / truth - 1; }

class LightStepsTest : public testing::Test {
 protected:
  // The mean step that the run recorded on a slow host would have without the recorder.
  double undisturbed_step(const SimulatedProgram& program, const Recorder& recorder) {
    result_ = undisturb(program.run(recorder), program.run({}));
    return full_.mean_step(result_.schedule);
  }
  UndisturbedRun undisturb(std::shared_ptr<ProcessOperations> full, std::shared_ptr<ProcessOperations> light) {
    full_.take(std::move(full));
    std::vector<RankTimeline> second_run(1);
    second_run.front().rank = 0;
    second_run.front().operations = std::move(light);
    return undisturbed_by_light_steps(full_.graph(), second_run);
  }
  // By how much that is off, and how much the error says.
  void expect_true_step(const SimulatedProgram& program, const Recorder& recorder) {
    EXPECT_NEAR(relative(undisturbed_step(program, recorder), true_step(program)), 0, 0.003);
    EXPECT_LT(*result_.disturbance.error, 0.003);
  }
  // The mean step of a run that nothing slows.
  static double true_step(const SimulatedProgram& program) {
    SimulatedRun bare;
    bare.take(program.run({}));
    return bare.mean_step(bare.graph().measured());
  }

  SimulatedRun full_;
  UndisturbedRun result_;
};

constexpr Recorder kSlows{.host_factor = 1.9, .launch = 1 * kMicro, .pause = 650};

TEST_F(LightStepsTest, AHostThatLaunchesTooSlowlyIsAsFastAsInTheLightRun) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) program.launch(30 * kMicro, 8 * kMicro, 5 * kMicro);
  const double step = undisturbed_step(program, kSlows);
  EXPECT_NEAR(relative(step, true_step(program)), 0, 0.003);
  EXPECT_EQ(result_.disturbance.source, HostSource::kSecondRun);
  EXPECT_NEAR(*result_.disturbance.slowdown, 0.9 + 1.0 / 38, 0.02);
  EXPECT_LT(*result_.disturbance.error, 0.003);
}

TEST_F(LightStepsTest, ReadsWaitForTheDeviceAsLongAsTheyWouldHave) {
  SimulatedProgram program;
  for (int layer = 0; layer < 4; ++layer) {
    for (int i = 0; i < 5; ++i) program.launch(10 * kMicro, 4 * kMicro, 40 * kMicro);
    program.wait(5 * kMicro, 3 * kMicro, 2 * kMicro);
  }
  EXPECT_NEAR(relative(undisturbed_step(program, kSlows), true_step(program)), 0, 0.01);
}

TEST_F(LightStepsTest, AReadAfterWhichTheHostWorksCostsBoth) {
  SimulatedProgram program;
  for (int i = 0; i < 10; ++i) program.launch(2 * kMicro, 4 * kMicro, 60 * kMicro);
  program.wait(2 * kMicro, 3 * kMicro, 4 * kMicro);
  program.launch(600 * kMicro, 4 * kMicro, 30 * kMicro);
  EXPECT_NEAR(relative(undisturbed_step(program, kSlows), true_step(program)), 0, 0.01);
}

TEST_F(LightStepsTest, AStepThatItsDeviceBoundsLosesThePausesOnly) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) program.launch(2 * kMicro, 3 * kMicro, 100 * kMicro);
  program.wait(2 * kMicro, 2 * kMicro, 2 * kMicro);
  EXPECT_NEAR(relative(undisturbed_step(program, kSlows), true_step(program)), 0, 0.003);
}

// Each call launches after half of its time, which is the launch's time, not the kernel's: without the recorder a
// kernel is launched long before it can start.
TEST_F(LightStepsTest, AStepThatItsDeviceBoundsOnlyWithoutTheRecorderHasNoDelays) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) program.launch(20 * kMicro, 60 * kMicro, 100 * kMicro);
  program.wait(2 * kMicro, 2 * kMicro, 2 * kMicro);
  expect_true_step(program, kSlows);
}

TEST_F(LightStepsTest, AStepOfWhichThePartsHaveDifferentBoundsKeepsEachOfThem) {
  SimulatedProgram program;
  for (int i = 0; i < 10; ++i) program.launch(20 * kMicro, 60 * kMicro, 100 * kMicro);
  program.wait(2 * kMicro, 2 * kMicro, 2 * kMicro);
  for (int i = 0; i < 30; ++i) program.launch(30 * kMicro, 20 * kMicro, 5 * kMicro);
  for (int i = 0; i < 20; ++i) program.launch(2 * kMicro, 3 * kMicro, 50 * kMicro);
  program.wait(2 * kMicro, 2 * kMicro, 2 * kMicro);
  expect_true_step(program, kSlows);
}

// A library's long calls among short ones: behind those, a kernel that is late is so for its call.
TEST_F(LightStepsTest, LongCallsAmongShortOnesDelayNothingThatTheDeviceBounds) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) {
    program.launch(10 * kMicro, 4 * kMicro, 120 * kMicro);
    program.launch(10 * kMicro, 150 * kMicro, 80 * kMicro);
  }
  program.wait(2 * kMicro, 2 * kMicro, 2 * kMicro);
  expect_true_step(program, kSlows);
}

// The host is bound by the device only where nothing slows it; how long it waits for room is not its work.
TEST_F(LightStepsTest, LaunchesThatWaitForRoomOnlyWithoutTheRecorderAreNoWork) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) program.launch(800 * kMicro, 50 * kMicro, 1200 * kMicro);
  program.limit_queue(2);
  expect_true_step(program, {.host_factor = 1.9});
  EXPECT_NEAR(*result_.disturbance.host_factor, 1 / 1.9, 0.01);
}

// Before the queue is full, the host's steps are short, with the recorder and without.
TEST_F(LightStepsTest, AHostThatRunsAheadOfItsDeviceIsNoFasterThanIt) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) program.launch(2 * kMicro, 3 * kMicro, 50 * kMicro);
  program.limit_queue(60);
  EXPECT_NEAR(relative(undisturbed_step(program, {.host_factor = 1.9}), true_step(program)), 0, 0.003);
  EXPECT_NEAR(relative(*result_.disturbance.light_step_ns, true_step(program)), 0, 0.003);
  EXPECT_NEAR(*result_.disturbance.slowdown, 0, 0.003);
  EXPECT_LT(*result_.disturbance.error, 0.003);
}

// States of 1 to 3 steps; the light run's own steps differ, too.
TEST_F(LightStepsTest, AFactorThatChangesInTimeIsTakenOff) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) program.launch(30 * kMicro, 8 * kMicro, 5 * kMicro);
  program.wait(5 * kMicro, 3 * kMicro, 2 * kMicro);
  program.vary(0.1);
  Recorder recorder = kSlows;
  recorder.changes = 0.8;
  EXPECT_NEAR(relative(undisturbed_step(program, recorder), true_step(program)), 0, 0.01);
}

TEST_F(LightStepsTest, ARunThatTheReplayMissesStaysAsRecorded) {
  SimulatedProgram waits_for_host, waits_for_device;  // as long, and with the same calls
  for (int i = 0; i < 20; ++i) {
    waits_for_host.launch(100 * kMicro, 4 * kMicro, 5 * kMicro);
    waits_for_device.launch(2 * kMicro, 4 * kMicro, 104 * kMicro);
  }
  for (SimulatedProgram* const program : {&waits_for_host, &waits_for_device})
    program->wait(2 * kMicro, 3 * kMicro, 2 * kMicro);
  result_ = undisturb(waits_for_host.run({}), waits_for_device.run({}));
  EXPECT_TRUE(result_.schedule.empty());
  EXPECT_FALSE(result_.disturbance.is_corrected());
  EXPECT_FALSE(result_.disturbance.error);
  EXPECT_NEAR(*result_.disturbance.slowdown, 0, 0.01);
  EXPECT_NE(result_.disturbance.reason.find("those are off by"), std::string::npos) << result_.disturbance.reason;
}

TEST_F(LightStepsTest, AnotherProgramTellsNothing) {
  SimulatedProgram program, other;
  for (int i = 0; i < 20; ++i) program.launch(30 * kMicro, 8 * kMicro, 5 * kMicro);
  for (int i = 0; i < 19; ++i) other.launch(30 * kMicro, 8 * kMicro, 5 * kMicro);
  const UndisturbedRun result = undisturb(program.run(kSlows), other.run({}));
  EXPECT_TRUE(result.schedule.empty());
  EXPECT_EQ(result.disturbance.source, HostSource::kRecorded);
  EXPECT_NE(result.disturbance.reason.find("with the same calls"), std::string::npos) << result.disturbance.reason;
}

// CUPTI alone sees the launches, so light steps have none: one factor makes the host as fast as their length asks.
TEST_F(LightStepsTest, LightStepsWithoutCallsTellTheirLength) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) program.launch(30 * kMicro, 8 * kMicro, 5 * kMicro);
  const double truth = true_step(program);
  full_.take(program.run({.host_factor = 1.9, .ends = 20}), 19);
  const UndisturbedRun result = undisturbed_by_light_steps(full_.graph(), {});
  EXPECT_EQ(result.disturbance.source, HostSource::kLight);
  ASSERT_FALSE(result.schedule.empty()) << result.disturbance.reason;
  EXPECT_NEAR(relative(full_.mean_step(result.schedule), truth), 0, 0.003);
  EXPECT_NEAR(*result.disturbance.host_factor, 1 / 1.9, 0.01);
  EXPECT_LT(*result.disturbance.error, 0.003);
  EXPECT_FALSE(result.disturbance.slowdown.has_value());
  EXPECT_NE(result.disturbance.reason.find("one factor"), std::string::npos) << result.disturbance.reason;
}

TEST_F(LightStepsTest, ARunThatLacksTheRankIsNamed) {
  SimulatedProgram program;
  program.launch(30 * kMicro, 8 * kMicro, 5 * kMicro);
  full_.take(program.run(kSlows));
  std::vector<RankTimeline> second_run(1);
  second_run.front().rank = 3;
  second_run.front().operations = program.run({});
  const UndisturbedRun result = undisturbed_by_light_steps(full_.graph(), second_run);
  EXPECT_TRUE(result.schedule.empty());
  EXPECT_EQ(result.disturbance.reason, "the run for the host's times has no rank 0");
}

TEST_F(LightStepsTest, AKnownStepScalesTheHostUntilTheStepTakesThat) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) program.launch(30 * kMicro, 8 * kMicro, 5 * kMicro);
  program.wait(5 * kMicro, 3 * kMicro, 2 * kMicro);
  const double truth = true_step(program);
  full_.take(program.run({.host_factor = 1.6}));
  const UndisturbedRun result = undisturbed_by_step_time(full_.graph(), truth);
  EXPECT_NEAR(relative(full_.mean_step(result.schedule), truth), 0, 0.001);
  EXPECT_NEAR(*result.disturbance.host_factor, 1 / 1.6, 0.01);
}

// In the part that the device bounds without the recorder, a fast host leaves no delays.
TEST_F(LightStepsTest, AKnownStepTellsTheHostWherePartsHaveDifferentBounds) {
  SimulatedProgram program;
  for (int i = 0; i < 10; ++i) program.launch(20 * kMicro, 60 * kMicro, 100 * kMicro);
  program.wait(2 * kMicro, 2 * kMicro, 2 * kMicro);
  for (int i = 0; i < 30; ++i) program.launch(30 * kMicro, 20 * kMicro, 5 * kMicro);
  program.wait(2 * kMicro, 2 * kMicro, 2 * kMicro);
  const double truth = true_step(program);
  full_.take(program.run({.host_factor = 1.9}));
  const UndisturbedRun result = undisturbed_by_step_time(full_.graph(), truth);
  ASSERT_FALSE(result.schedule.empty()) << result.disturbance.reason;
  EXPECT_NEAR(relative(full_.mean_step(result.schedule), truth), 0, 0.003);
  EXPECT_NEAR(*result.disturbance.host_factor, 1 / 1.9, 0.02);
}

TEST_F(LightStepsTest, AKnownStepThatNoHostExplainsIsRefused) {
  SimulatedProgram program;
  for (int i = 0; i < 20; ++i) program.launch(2 * kMicro, 3 * kMicro, 100 * kMicro);
  program.wait(2 * kMicro, 2 * kMicro, 2 * kMicro);
  full_.take(program.run(kSlows));
  const double recorded = full_.mean_step(full_.graph().measured());
  EXPECT_TRUE(undisturbed_by_step_time(full_.graph(), recorded / 2).schedule.empty());
  EXPECT_TRUE(undisturbed_by_step_time(full_.graph(), recorded * 2).schedule.empty());
  EXPECT_NEAR(*undisturbed_by_step_time(full_.graph(), recorded).disturbance.host_factor, 1, 1e-4);
}

}  // namespace
}  // namespace tauprof
