// Phase rules: how a line is read, which lines are rejected, and how the shipped rules divide a step.
#include "phases/phase_rules.h"

#include <gtest/gtest.h>

#include "phases/assign_phases.h"
#include "phases/rule.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

std::string mistake_in(std::string_view text) {
  PhaseRules rules;
  return PhaseRules::read(text, "my.rules", rules).message();
}

TEST(RulePattern, MatchesStarsAndQuestionMarksIgnoringCase) {
  EXPECT_TRUE(fits_pattern("*fused*adam*", "void FusedOptimizer<FusedAdamFunctor>"));
  EXPECT_TRUE(fits_pattern("step?1", "Step_1"));
  EXPECT_FALSE(fits_pattern("step", "steps"));
  EXPECT_TRUE(fits_pattern("*a*b", "xxaab"));
  EXPECT_FALSE(fits_pattern("*a*b", "xxaabc"));
}

TEST(PhaseRules, RejectABadLineWithFileAndLineNumber) {
  EXPECT_EQ(mistake_in("# fine\n\nrange x optimizer\n").substr(0, 42), "my.rules:3: 'optimizer' is no phase; there");
  EXPECT_EQ(mistake_in("call kernel=*x* forward"),
            "my.rules:1: 'call' begins no rule; there are range, operator, file, kernel");
  EXPECT_EQ(mistake_in("range forward"), "my.rules:1: give range PATTERN PHASE");
  EXPECT_EQ(mistake_in("range *x* forward # and a comment\nkernel *y* other\nrange z @none\n"), "");
}

TEST(PhaseRules, OfTheUserComeFirst) {
  PhaseRules rules;
  ASSERT_TRUE(PhaseRules::read("range *backward* forward\n", "my.rules", rules).is_ok());
  EXPECT_EQ(rules.phase_of_range("backward"), Phase::kForward);
  EXPECT_EQ(PhaseRules::shipped().phase_of_range("backward"), Phase::kBackward);
  EXPECT_EQ(rules.phase_of_range("zero_grad"), Phase::kZeroGradSched) << "the shipped rules come after them";
}

// One step of consecutive kernels, each on the thread switched to last.
class Step {
 public:
  void kernel(std::string_view name) {
    HostCall& call = process_.call("cudaLaunchKernel", now_, now_ + 5);
    call.step = 0;
    const uint32_t index = process_.span(now_ + 10, now_ + 20);
    names_.emplace_back(index, name);
    now_ += 10;
  }
  void thread(std::string_view name) { process_.switch_thread(name); }
  HostCall& call(std::string_view function) {
    HostCall& made = process_.call(function, now_, now_ + 5);
    made.step = 0;
    now_ += 10;
    return made;
  }

  std::vector<std::string_view> phases(std::string_view rules_text = "") {
    ProcessTrace& trace = process_.build();
    trace.steps = {{0, 0, now_}};
    for (const auto& [index, name] : names_) trace.devices[0].spans[index].name = trace.names.add(name);
    PhaseRules rules;
    EXPECT_TRUE(PhaseRules::read(rules_text, "test", rules).is_ok());
    assign_phases(trace, rules);
    std::vector<std::pair<Nanoseconds, Phase>> in_order;
    for (const HostCall& call : trace.calls) in_order.emplace_back(call.start, call.phase);
    std::sort(in_order.begin(), in_order.end());
    std::vector<std::string_view> names;
    for (const auto& [start, phase] : in_order) names.push_back(phase_name(phase));
    return names;
  }

 private:
  TraceBuilder process_;
  std::vector<std::pair<uint32_t, std::string>> names_;
  Nanoseconds now_ = 0;
};

using Names = std::vector<std::string_view>;

TEST(AssignPhases, TellsPassesApartByThreadAndUpdatesByPosition) {
  Step step;
  step.kernel("embedding");
  step.thread("pt_autograd_0");
  step.kernel("gemm");
  step.thread("main");
  step.kernel("a_new_optimizer");
  EXPECT_EQ(step.phases(), (Names{"forward", "backward", "optim_step"}));
}

TEST(AssignPhases, TellsPassesOfOneThreadApartByNamesAndOrder) {
  Step step;
  for (const char* name : {"gemm", "layer_norm_forward", "gemm", "cross_entropy_kernel", "gemm", "layer_norm_backward",
                           "gemm", "multi_tensor_adamw_kernel"})
    step.kernel(name);
  EXPECT_EQ(step.phases(),
            (Names{"forward", "forward", "forward", "forward", "backward", "backward", "backward", "optim_step"}));
}

TEST(AssignPhases, AssignsNoPhaseToUninformativeKernels) {
  Step step;
  step.kernel("gemm");
  step.kernel("add");
  EXPECT_EQ(step.phases(), (Names{"other", "other"}));
}

TEST(AssignPhases, DoesNotTakeAThreadThatLaunchesEverythingForBackward) {
  Step step;
  step.call("cudaSetDevice");
  step.thread("XLAStreamExecutor");
  for (const char* name : {"loop_forward_fusion", "gemm", "loop_backward_fusion"}) step.kernel(name);
  EXPECT_EQ(step.phases(), (Names{"other", "forward", "forward", "backward"}));
}

TEST(PhaseRules, RecogniseTheFrameworksRanges) {
  const PhaseRules& rules = PhaseRules::shipped();
  const std::pair<const char*, Phase> ranges[] = {
      {"DeepSpeedZeroOptimizer_Stage3.reduce_independent_p_g_buckets_and_remove_grads", Phase::kBackward},
      {"DeepSpeedZeroOptimizer_Stage3.step", Phase::kOptimStep},
      {"DeepSpeedEngine.forward", Phase::kForward},
      {"FullyShardedDataParallel._pre_backward_hook", Phase::kBackward},
      {"FullyShardedDataParallel.forward", Phase::kForward},
      {"batch-generator", Phase::kDataloadWait},
      {"optimizer-clip-main-grad", Phase::kUnscaleClip},
      {"jit(train_step)/transpose(jvp(Model))/dot_general", Phase::kBackward},
      {"jit(train_step)/jvp(Model)/dot_general", Phase::kForward}};
  for (const auto& [name, phase] : ranges) EXPECT_EQ(rules.phase_of_range(name), phase) << name;
}

TEST(AssignPhases, GivesPreparatoryCallsThePhaseOfTheNextLaunch) {
  Step step;
  step.call("cudaStreamWaitEvent");
  step.kernel("norm_forward");
  step.call("cudaEventRecord");
  EXPECT_EQ(step.phases(), (Names{"forward", "forward", "other"}));
}

TEST(AssignPhases, FollowsAUsersRules) {
  Step step;
  step.kernel("teacher_forward");
  step.kernel("norm_forward");
  EXPECT_EQ(step.phases("kernel teacher_* other\n"), (Names{"other", "forward"}));
}

}  // namespace
}  // namespace tauprof
