// The phase of a stack, by the shipped rules for frames.
#include "phases/stack_phases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "phases/assign_phases.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

// Innermost first, as FILE:FUNCTION below site-packages; the user's own frames are in train.py.
using Frames = std::vector<std::string>;

const std::string kModule = "torch/nn/modules/module.py:Module._call_impl";
const std::string kWrapper = "torch/optim/optimizer.py:Optimizer.profile_hook_step.<locals>.wrapper";
const std::string kLbfgs = "torch/optim/lbfgs.py:LBFGS.step";
const std::string kEngine = "torch/autograd/graph.py:_engine_run_backward";

// One step of consecutive launches, each with its stack.
class Step {
 public:
  Step& launch(std::string_view kernel, const Frames& frames = {}, std::string_view thread = "main") {
    process_.switch_thread(thread);
    process_.call("cudaLaunchKernel", now_, now_ + 5).step = 0;
    launched_.push_back({std::string(kernel), frames, process_.span(now_, now_ + 5), now_});
    now_ += 10;
    return *this;
  }

  std::vector<std::string_view> phases() {
    ProcessTrace& trace = process_.build();
    trace.steps = {{0, 0, now_}};
    for (const Launched& one : launched_) {
      trace.devices[0].spans[one.span].name = trace.names.add(one.kernel);
      if (!one.frames.empty()) add_stack(trace, one);
    }
    std::sort(trace.stacks.calls.begin(), trace.stacks.calls.end(), [](const LocatedCall& a, const LocatedCall& b) {
      return a.thread != b.thread ? a.thread < b.thread : a.start < b.start;
    });
    assign_phases(trace);
    std::vector<std::string_view> phases;
    for (const Launched& one : launched_) phases.push_back(phase_name(call_at(trace, one.start).phase));
    return phases;
  }

 private:
  struct Launched {
    std::string kernel;
    Frames frames;
    uint32_t span;
    Nanoseconds start;
  };

  static const HostCall& call_at(const ProcessTrace& trace, Nanoseconds start) {
    return *std::find_if(trace.calls.begin(), trace.calls.end(),
                         [&](const HostCall& call) { return call.start == start; });
  }

  static void add_stack(ProcessTrace& trace, const Launched& one) {
    CodeStack stack;
    for (const std::string& location : one.frames) {
      const size_t colon = location.find(':');
      const bool is_users = location.starts_with("train.py");
      CodeFrame frame{log::FrameLanguage::kPython};
      frame.file =
          trace.names.add((is_users ? "/home/me/" : "/usr/lib/python3/dist-packages/") + location.substr(0, colon));
      frame.function = trace.names.add(location.substr(colon + 1));
      stack.frames.push_back(static_cast<uint32_t>(trace.stacks.frames.size()));
      trace.stacks.frames.push_back(frame);
    }
    const HostCall& call = call_at(trace, one.start);
    trace.stacks.calls.push_back({call.start, static_cast<uint32_t>(trace.stacks.stacks.size()), call.thread});
    trace.stacks.stacks.push_back(stack);
  }

  TraceBuilder process_;
  std::vector<Launched> launched_;
  Nanoseconds now_ = 0;
};

using Names = std::vector<std::string_view>;

TEST(StackPhases, FollowTheInnermostFunction) {
  Step step;
  step.launch("gemm", {kModule, "train.py:closure", kLbfgs, kWrapper});
  step.launch("gemm", {kWrapper, "train.py:training_step", kModule});
  EXPECT_EQ(step.phases(), (Names{"forward", "optim_step"}));
}

TEST(StackPhases, RecogniseTheUpdateOfAUsersOptimizer) {
  Step step;
  step.launch("add", {"train.py:Lion.step", kWrapper, "train.py:main"});
  EXPECT_EQ(step.phases(), (Names{"optim_step"}));
}

TEST(StackPhases, DoNotTakeAnOptimizersCallbackForItsUpdate) {
  const Frames closure = {"train.py:closure", kLbfgs, kWrapper};
  Step step;
  step.launch("add", {kLbfgs, kWrapper}).launch("augment", closure).launch("gemm", {kModule, closure[0], kLbfgs});
  step.launch("scale", closure).launch("gemm", {}, "pt_autograd_0").launch("dot", {kLbfgs, kWrapper});
  EXPECT_EQ(step.phases(), (Names{"optim_step", "forward", "forward", "forward", "backward", "optim_step"}));
}

TEST(StackPhases, CountRecomputationInsideBackwardAsBackward) {
  Step step;
  step.launch("gemm", {kModule, "torch/utils/checkpoint.py:unpack_hook", kEngine, "train.py:main"});
  step.launch("gemm", {kModule, "torch/utils/checkpoint.py:unpack_hook"}, "pt_autograd_0");
  EXPECT_EQ(step.phases(), (Names{"backward", "backward"}));
}

TEST(StackPhases, RecogniseUpdatesInsideBackward) {
  Step step;
  step.launch("gemm", {kModule}).launch("gemm", {}, "pt_autograd_0").launch("add", {kWrapper}, "pt_autograd_0");
  EXPECT_EQ(step.phases(), (Names{"forward", "backward", "optim_step"}));
}

TEST(StackPhases, RecogniseUnqualifiedNamesFromBeforePython311) {
  Step step;
  step.launch("gemm", {"torch/nn/modules/module.py:_call_impl"}).launch("add", {"torch/optim/optimizer.py:wrapper"});
  step.launch("fill", {"torch/optim/optimizer.py:zero_grad"});
  EXPECT_EQ(step.phases(), (Names{"forward", "optim_step", "zero_grad_sched"}));
}

TEST(StackPhases, FallBackOnKernelsWithoutStacks) {
  Step step;
  step.launch("gemm").launch("gemm", {}, "pt_autograd_0").launch("FusedAdam");
  EXPECT_EQ(step.phases(), (Names{"forward", "backward", "optim_step"}));
}

TEST(StackPhases, RejectAnInvalidRule) {
  PhaseRules rules;
  EXPECT_EQ(PhaseRules::read("frame *x* forward mine", "my.rules", rules).message(),
            "my.rules:1: give frame PATTERN PHASE, or frame PATTERN PHASE own");
  EXPECT_EQ(PhaseRules::read("frame *x* update", "my.rules", rules).message().substr(0, 33),
            "my.rules:1: 'update' is no phase;");
}

}  // namespace
}  // namespace tauprof
