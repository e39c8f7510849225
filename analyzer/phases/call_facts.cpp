#include "phases/call_facts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "classify/optimizer_kernels.h"

namespace tauprof {

CallFacts::CallFacts(const ProcessTrace& trace)
    : trace_(trace),
      work_(trace),
      is_message_(trace.collectives.size(), false),
      threads_(launching_threads(trace)),
      is_optimizer_(trace.names.size(), -1),
      main_(main_thread(trace)) {
  find_stage_messages();
  find_next_launches();
  has_main_ = main_ < trace.threads.size() && trace.threads[main_].is_main;
  for (size_t thread = 0; thread < threads_.size(); ++thread)
    has_several_ |= thread != main_ && threads_[thread].launches_kernels && threads_[main_].launches_kernels;
  find_parts();
}

void CallFacts::find_parts() {
  constexpr Nanoseconds kNone = std::numeric_limits<Nanoseconds>::max();
  std::vector<Nanoseconds> last_pass(trace_.steps.size(), kNone);  // when the last kernel of a pass was launched
  for (const HostCall& call : trace_.calls) {
    const bool computes = call.call_class == CallClass::kKernel || call.call_class == CallClass::kGemm;
    if (call.step == kNoStep || !computes || !threads_[call.thread].is_backward) continue;
    Nanoseconds& last = last_pass[call.step];
    last = last == kNone ? call.start : std::max(last, call.start);
  }
  parts_.assign(trace_.calls.size(), StepPart::kElsewhere);
  for (size_t i = 0; i < parts_.size(); ++i) {
    const HostCall& call = trace_.calls[i];
    if (call.step == kNoStep) continue;
    if (call.start >= trace_.steps[call.step].extra_start)
      parts_[i] = StepPart::kExtra;
    else if (!threads_[call.thread].is_backward && call.start > last_pass[call.step])
      parts_[i] = StepPart::kBehind;
  }
}

// Sends and receives between neighbouring stages: alone, or in groups with one or two other ranks. Groups with more
// ranks, or with the rank itself, are an exchange among all.
void CallFacts::find_stage_messages() {
  const auto is_message = [](const CollectiveCall& call) {
    return call.operation == log::Operation::kSend || call.operation == log::Operation::kReceive;
  };
  std::map<int64_t, std::set<int32_t>> peers;  // of each group; -1: the group also holds something else
  for (const CollectiveCall& call : trace_.collectives) {
    if (call.group == 0) continue;
    const auto communicator = trace_.communicators.find(call.communicator);
    const bool is_own = communicator != trace_.communicators.end() && communicator->second.rank == call.peer;
    peers[call.group].insert(is_message(call) && !is_own ? call.peer : -1);
  }
  for (size_t i = 0; i < trace_.collectives.size(); ++i) {
    const CollectiveCall& call = trace_.collectives[i];
    if (!is_message(call)) continue;
    const bool is_grouped = call.group != 0;
    is_message_[i] = !is_grouped || (peers[call.group].size() <= 2 && peers[call.group].count(-1) == 0);
  }
}

RuleClass CallFacts::rule_class(uint32_t index) const {
  const HostCall& call = trace_.calls[index];
  switch (call.call_class) {
    case CallClass::kKernel:
      return RuleClass::kKernel;
    case CallClass::kGemm:
      return RuleClass::kGemm;
    case CallClass::kCopy:
    case CallClass::kBlockingCopy:
      return work_.fills[index] ? RuleClass::kFill : RuleClass::kCopy;
    case CallClass::kCollective:
      return call.collective != kNoIndex && is_message_[call.collective] ? RuleClass::kMessage : RuleClass::kCollective;
    case CallClass::kGroupEnd:
      return RuleClass::kCollective;
    case CallClass::kSync:
      return RuleClass::kSync;
    case CallClass::kStreamWait:
      return RuleClass::kWait;
    default:
      return RuleClass::kOther;
  }
}

RuleCopy CallFacts::copy(uint32_t index) const {
  if (trace_.calls[index].is_input_copy) return RuleCopy::kToDevice;
  switch (work_.copy[index]) {
    case log::CopyKind::kUnknown:
      return RuleCopy::kNone;
    case log::CopyKind::kDeviceToHost:
      return RuleCopy::kToHost;
    default:
      return RuleCopy::kWithin;
  }
}

NameId CallFacts::next_kernel(uint32_t index) const {
  return next_launch_[index] == kNoIndex ? kNoName : work_.kernel[next_launch_[index]];
}

void CallFacts::find_next_launches() {
  next_launch_.assign(trace_.calls.size(), kNoIndex);
  for (size_t i = trace_.calls.size(); i-- > 1;) {
    const HostCall &next = trace_.calls[i], &call = trace_.calls[i - 1];
    if (call.thread != next.thread || call.step != next.step) continue;
    next_launch_[i - 1] = launches_work(next.call_class) ? static_cast<uint32_t>(i) : next_launch_[i];
  }
}

bool CallFacts::is_optimizer(NameId kernel) const {
  if (is_optimizer_[kernel] < 0) is_optimizer_[kernel] = is_optimizer_kernel(trace_.names[kernel]);
  return is_optimizer_[kernel] != 0;
}

}  // namespace tauprof
