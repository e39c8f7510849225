#include "undisturbed/host_work.h"

#include "trace_builder.h"
#include "undisturbed/simulated_program.h"

namespace tauprof {
namespace {

std::vector<WorkOfStep> work_of(const ProcessOperations& process, CallNames& names) {
  return work_of_steps(
      process, [&](uint32_t i) { return process.times[i]; }, names);
}

// A process in whose log nothing tells steps.
std::shared_ptr<ProcessOperations> without_steps(std::shared_ptr<ProcessOperations> process) {
  process->step_numbers.clear();
  process->places.steps.clear();
  for (OperationLabel& operation : process->operations) operation.step = kNoStep;
  return process;
}

SimulatedProgram two_launches_and_a_wait() {
  SimulatedProgram program;
  program.launch(30 * kMicro, 8 * kMicro, 5 * kMicro);
  program.launch(20 * kMicro, 6 * kMicro, 5 * kMicro);
  program.wait(10 * kMicro, 3 * kMicro, 2 * kMicro);
  return program;
}

TEST(HostWork, IsWhatCameBeforeEachCallAndTheCall) {
  CallNames names;
  const std::vector<WorkOfStep> steps = work_of(*two_launches_and_a_wait().run({}), names);
  ASSERT_EQ(steps.size(), static_cast<size_t>(SimulatedProgram::kSteps));
  ASSERT_EQ(steps[3].threads.size(), 1u);
  const std::vector<WorkOfCall>& calls = steps[3].threads[0].calls;
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].before, 30 * kMicro);
  EXPECT_EQ(calls[0].inside, 8 * kMicro);
  EXPECT_FALSE(calls[1].waits);
  EXPECT_TRUE(calls[2].waits);
  EXPECT_EQ(calls[0].name, calls[1].name);
  EXPECT_NE(calls[0].name, calls[2].name);
}

TEST(HostWork, OfAThreadIsLikeThatOfOneWithTheSameCallsWhateverItsNumber) {
  const auto thread = [](uint16_t number, std::vector<uint32_t> names) {
    WorkOfThread work{number, {}};
    for (const uint32_t name : names) work.calls.push_back({.name = name});
    return work;
  };
  WorkOfStep step;
  step.threads = {thread(4, {1, 2}), thread(5, {1, 2}), thread(6, {1, 3})};
  EXPECT_EQ(step.like(thread(5, {1, 2}), {})->thread, 5) << "its own number, if it has these calls";
  EXPECT_EQ(step.like(thread(9, {1, 3}), {})->thread, 6);
  EXPECT_EQ(step.like(thread(6, {1, 2}), {})->thread, 4) << "calls count more than the number";
  EXPECT_EQ(step.like(thread(4, {1, 2}), {&step.threads[0]})->thread, 5);
  EXPECT_EQ(step.like(thread(4, {1, 2}), {&step.threads[0], &step.threads[1]}), nullptr);
  EXPECT_EQ(step.like(thread(4, {2, 1}), {}), nullptr);
  EXPECT_EQ(step.like(thread(4, {1, 2, 2}), {}), nullptr);
}

TEST(HostWork, AdoptsTheStepsOfARunWithTheSameCalls) {
  const SimulatedProgram program = two_launches_and_a_wait();
  const auto full = program.run({.host_factor = 2});
  const auto light = without_steps(program.run({}));
  for (HostPlace& place : light->places.hosts) place.thread = 7;
  adopt_steps(*full, *light);
  CallNames names;
  const std::vector<WorkOfStep> steps = work_of(*light, names);
  ASSERT_EQ(steps.size(), static_cast<size_t>(SimulatedProgram::kSteps));
  EXPECT_EQ(steps[5].number, 5);
  EXPECT_EQ(steps[5].threads[0].calls.size(), 3u);
  EXPECT_EQ(steps[5].place.host.length(),
            30 * kMicro + 8 * kMicro + 20 * kMicro + 6 * kMicro + 10 * kMicro + 5 * kMicro)
      << "from the first call of a step to that of the next; the device is done before the wait, which takes 5 us";
}

TEST(HostWork, AdoptsStepsUntilTheCallsDiffer) {
  const SimulatedProgram program = two_launches_and_a_wait();
  const auto full = program.run({});
  const auto light = without_steps(program.run({}));
  uint32_t waits = 0;
  for (OperationLabel& operation : light->operations)
    if (operation.kind == OperationKind::kBetween && operation.name == 1 && ++waits == 11) operation.name = 0;
  adopt_steps(*full, *light);
  EXPECT_FALSE(light->places.steps[8].host.is_empty());
  EXPECT_TRUE(light->places.steps[10].host.is_empty()) << "how long it took is not known: where the next starts is not";
  CallNames names;
  EXPECT_TRUE(work_of(*light, names)[11].threads.empty());
}

TEST(HostWork, AdoptsNothingFromAnotherProgramAndNothingForAnEmptyOne) {
  SimulatedProgram other;
  other.wait(10, 10, 10);
  other.launch(10, 10, 10);
  const auto full = two_launches_and_a_wait().run({});
  const auto light = without_steps(other.run({}));
  adopt_steps(*full, *light);
  for (const StepPlace& step : light->places.steps) EXPECT_TRUE(step.host.is_empty());
  ProcessOperations empty;
  adopt_steps(*full, empty);
  EXPECT_EQ(empty.places.steps.size(), full->step_numbers.size());
}

}  // namespace
}  // namespace tauprof
