// The facts about calls that rules ask for, gathered once per trace.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "phases/launched_work.h"
#include "phases/phase_rules.h"
#include "steps/launching_threads.h"

namespace tauprof {

class CallFacts {
 public:
  explicit CallFacts(const ProcessTrace& trace);

  NameId kernel(uint32_t call) const { return work_.kernel[call]; }  // kNoName: it launched none
  RuleClass rule_class(uint32_t call) const;
  RuleCopy copy(uint32_t call) const;
  StepPart part(uint32_t call) const { return parts_[call]; }
  // The kernel of the next launch on its thread and in its step; kNoName: there is none, or it launches no kernel.
  NameId next_kernel(uint32_t call) const;
  bool is_optimizer(NameId kernel) const;
  uint16_t main() const { return main_; }
  bool has_main() const { return has_main_; }        // a thread is marked as the main one
  bool has_several() const { return has_several_; }  // the main thread and another one launch kernels

 private:
  void find_stage_messages();
  void find_next_launches();
  void find_parts();

  const ProcessTrace& trace_;
  const LaunchedWork work_;
  std::vector<StepPart> parts_;
  std::vector<bool> is_message_;       // of each collective call
  std::vector<uint32_t> next_launch_;  // of each call, on its thread and in its step
  std::vector<LaunchingThread> threads_;
  mutable std::vector<signed char> is_optimizer_;  // by name; -1: not looked up yet
  uint16_t main_ = 0;
  bool has_main_ = false;
  bool has_several_ = false;
};

}  // namespace tauprof
