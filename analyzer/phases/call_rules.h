// Finds the rule for each call. Most fields never change for a kind of call (its function, kernel, thread, class): they
// are looked at once for each kind, so that a call costs one look-up and the few rules that may fit.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "phases/call_facts.h"
#include "phases/phase_rules.h"

namespace tauprof {

class CallRules {
 public:
  CallRules(const ProcessTrace& trace, const CallFacts& facts, const PhaseRules& rules);

  // The rules that may fit the call, in order: all fields hold but `after`, `place` and `frame`.
  const std::vector<const CallRule*>& candidates(uint32_t call);
  // Whether the other fields hold, too. `after`: what was launched before, as a bit.
  bool fits(const CallRule& rule, uint32_t call, uint32_t after) const;

 private:
  bool may_fit(const CallRule& rule, uint32_t call) const;
  bool frame_fits(const CallRule& rule, uint32_t call) const;

  const ProcessTrace& trace_;
  const CallFacts& facts_;
  const PhaseRules& rules_;
  std::unordered_map<uint64_t, std::vector<const CallRule*>> of_kind_;
};

}  // namespace tauprof
