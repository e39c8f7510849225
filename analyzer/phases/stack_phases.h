// Of which phase a call's stack speaks, by the lines about frames (phase_rules.h), where stacks were recorded.
//
// The innermost function that speaks decides: the model is called inside an optimizer's step (a closure), and an
// optimizer inside a module (Lightning's manual optimization). But forward inside of backward is backward's: what was
// forgotten is computed again. And a line with `own` says nothing of what it calls back: of what a user's function does
// that comes first it is only known that it was called (`closure`). Examples, the innermost first, u a user's function:
//     linear.forward  Module._call_impl  u:closure  LBFGS.step  wrapper  u:train     forward
//     _add_grad  LBFGS.step  wrapper  u:train                                        optim_step
//     u:closure  LBFGS.step  wrapper  u:train                                        closure: it may scale the loss
//     u:MyOptimizer.step  wrapper  u:train                                           optim_step
//     Module._call_impl  checkpoint.unpack  _engine_run_backward  u:train            backward
#pragma once

#include <string>
#include <vector>

#include "model/process_trace.h"
#include "phases/phase_rules.h"

namespace tauprof {

// FILE:FUNCTION, as patterns see it.
std::string place_of_frame(const ProcessTrace& trace, const CodeFrame& frame);

class StackPhases {
 public:
  StackPhases(const ProcessTrace& trace, const PhaseRules& rules);

  uint32_t of_call(const HostCall& call);         // phase_bit, or kCalledBack; 0: it speaks of none
  uint32_t stack_of(const HostCall& call) const;  // kNoStack: it has none

 private:
  // What lines say of a frame.
  struct Meaning {
    bool is_known = false;
    bool is_users = false;
    const FrameRule* rule = nullptr;
  };
  // Of a stack.
  struct Answer {
    bool is_known = false;
    uint32_t phase = 0;  // as of_call
  };

  uint32_t of_stack(uint32_t stack);
  const Meaning& meaning_of(const CodeFrame& frame);

  const ProcessTrace& trace_;
  const PhaseRules& rules_;
  std::vector<Meaning> meanings_;  // by frame
  std::vector<Answer> answers_;    // by stack
};

}  // namespace tauprof
