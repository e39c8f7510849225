// Where steps begin, while the program runs: for TAUPROF_START_STEP, TAUPROF_STEPS and TAUPROF_TRIGGER.
//
// The recorder cannot look ahead, and must decide before a launch whether to record it. So it knows one thing: the
// first launch behind an update, of those that could begin a step, begins one. What clips, clears gradients or reads
// back a loss still belongs to the step. Example, U the update:
//   clip U U memset copy-to-host | copy-to-device forward backward clip U U
//
// Updates are known by their kernels' names; else by their place: what the main thread launches between a backward
// pass and the next input copy is an update if it is four kernels or more, since a micro-batch's copy follows at once,
// or clips, scales the loss or works on lists of tensors.
//
// The analyzer sees more, and cuts more finely (an evaluation behind a step, optimizers that take turns): the recorded
// launches contain its steps whole, and some around them that it leaves out. docs/phases.md says what fools it.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

enum class StepEvent : uint8_t {
  kWork,  // a kernel, a GEMM, a graph
  kCollective,
  kUpdate,      // a kernel that only an optimizer launches
  kNearUpdate,  // clipping, loss scaling, kernels over lists of tensors
  kTail,        // what else may follow an update within its step: memsets, copies to the host or within a device
  kInputCopy,   // host to device
};

class StepFollower {
 public:
  // Whether a step begins with this launch. Any thread.
  bool take(StepEvent event, bool is_backward_thread);

 private:
  static constexpr uint32_t kUpdateLaunches = 4;
  // Behind a backward pass, plus how many kernels other threads have launched since, up to kUpdateLaunches.
  enum State : uint32_t { kInStep, kAfterUpdate, kBehindBackward, kAfterBackward };
  uint32_t state_ = kInStep;
};

// Whether the calling thread launches backward passes, by its name (pt_autograd_N). Asked once for each thread.
bool is_backward_thread();

}  // namespace tauprof::capture
