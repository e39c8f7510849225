// The phase that a call's stack tells, by the rules for frames (phase_rules.h), where stacks were recorded.
//
// The innermost function with a rule decides: the model is called inside an optimizer's step (a closure), and an
// optimizer inside a module (Lightning's manual optimization). There are two exceptions. Forward inside backward is
// backward: what was freed is computed again. And a rule with `own` does not extend to what the function calls back: of
// a user's function further inside we only know that it was called back (`closure`). Examples, the innermost first, u a
// user's function:
//     linear.forward  Module._call_impl  u:closure  LBFGS.step  wrapper  u:train     forward
//     _add_grad  LBFGS.step  wrapper  u:train                                        optim_step
//     u:closure  LBFGS.step  wrapper  u:train                                        closure: it may scale the loss
//     u:MyOptimizer.step  wrapper  u:train                                           optim_step
//     Module._call_impl  checkpoint.unpack  _engine_run_backward  u:train            backward
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/process_trace.h"
#include "phases/phase_rules.h"

namespace tauprof {

// FILE:FUNCTION, the text that patterns match.
std::string source_line_of_frame(const ProcessTrace& trace, const CodeFrame& frame);

class StackPhases {
 public:
  StackPhases(const ProcessTrace& trace, const PhaseRules& rules);

  uint32_t of_call(const HostCall& call);         // phase_bit, or kCalledBack; 0: the stack tells no phase
  uint32_t stack_of(const HostCall& call) const;  // kNoStack: it has none

 private:
  // What the rules say of a frame.
  struct Meaning {
    bool is_known = false;
    bool is_users = false;
    const FrameRule* rule = nullptr;
  };
  // What they say of a stack, as of_call, and what is known further inside.
  struct Found {
    bool is_forward = false;  // a frame of a forward pass; only one of a backward pass around it would count more
    bool has_users = false;   // a frame of the user's
  };
  static constexpr uint32_t kUnknown = ~0u;
  using Answers = std::array<uint32_t, 4>;  // by what is known further inside; stacks share their callers

  uint32_t of_stack(uint32_t stack, Found inside);
  const Meaning& meaning_of(const CodeFrame& frame);

  const ProcessTrace& trace_;
  const PhaseRules& rules_;
  std::vector<Meaning> meanings_;  // by frame
  std::vector<Answers> answers_;   // by stack
};

}  // namespace tauprof
