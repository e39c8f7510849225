// Finds the rule for each call. Most fields never change for a kind of call (its function, kernel, thread, class): they
// are looked at once for each kind, so that a call costs one look-up and the few rules that may fit.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "phases/call_facts.h"
#include "phases/phase_rules.h"
#include "phases/stack_phases.h"

namespace tauprof {

// What a call's thread launched before it in this step.
struct LaunchedBefore {
  uint32_t phases = kAfterNothing;  // phase_bit of the launch before
  std::vector<NameId> kernels;      // each name once
};

class CallRules {
 public:
  CallRules(const ProcessTrace& trace, const CallFacts& facts, const PhaseRules& rules);

  // The rules that may fit the call, in order: all fields hold but those that `fits` looks at.
  const std::vector<const CallRule*>& candidates(uint32_t call);
  // Whether `after`, `before`, `seen`, `place`, `frame` and `stack` hold, too.
  bool fits(const CallRule& rule, uint32_t call, const LaunchedBefore& launched);

 private:
  bool may_fit(const CallRule& rule, uint32_t call) const;
  bool kernel_fits(const std::string& pattern, NameId kernel) const;
  bool frame_fits(const CallRule& rule, uint32_t call);

  const ProcessTrace& trace_;
  const CallFacts& facts_;
  const PhaseRules& rules_;
  StackPhases stack_phases_;
  std::unordered_map<uint64_t, std::vector<const CallRule*>> of_kind_;
};

}  // namespace tauprof
