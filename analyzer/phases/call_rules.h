// Finds the rule for each call. Most fields have one answer for all calls of a kind (function, kernel, thread, class).
// They are evaluated once per kind, so that a call costs one look-up and the few rules that may fit.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "phases/call_facts.h"
#include "phases/phase_rules.h"

namespace tauprof {

// What a call's thread launched before it in the same step.
struct LaunchedBefore {
  uint32_t phases = kAfterNothing;  // phase_bit of the launch before
  std::vector<NameId> kernels;      // each name once
  uint64_t number = 0;              // of the step and thread
};

class CallRules {
 public:
  CallRules(const ProcessTrace& trace, const CallFacts& facts, const PhaseRules& rules);

  // The rules that may fit the call, in order: all their fields hold, except those that fits() evaluates.
  const std::vector<const CallRule*>& candidates(uint32_t call);
  // Whether `after`, `before`, `seen`, `place` and `frame` hold, too.
  bool fits(const CallRule& rule, uint32_t call, const LaunchedBefore& launched);

 private:
  bool may_fit(const CallRule& rule, uint32_t call);
  bool kernel_fits(const std::vector<std::string>& patterns, NameId kernel);
  uint32_t stack_of(const HostCall& call) const;  // kNoStack: it has none
  bool frame_fits(const CallRule& rule, uint32_t stack);
  bool is_seen(const CallRule& rule, const LaunchedBefore& launched);

  // Whether a kernel that a rule wants was seen among the first `asked` of a step.
  struct Seen {
    uint64_t number = 0;
    size_t asked = 0;
    bool is_seen = false;
  };

  const ProcessTrace& trace_;
  const CallFacts& facts_;
  const PhaseRules& rules_;
  std::unordered_map<uint64_t, std::vector<const CallRule*>> of_kind_;
  std::unordered_map<const CallRule*, Seen> seen_;
  std::map<std::pair<const CallRule*, uint32_t>, bool> fitting_stacks_;         // answers of frame_fits
  std::map<std::pair<const std::vector<std::string>*, NameId>, bool> fitting_;  // answers of kernel_fits
};

}  // namespace tauprof
