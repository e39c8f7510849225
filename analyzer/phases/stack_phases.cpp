#include "phases/stack_phases.h"

#include <algorithm>

#include "classify/source_lines.h"

namespace tauprof {
namespace {

constexpr uint32_t kForward = phase_bit(Phase::kForward), kBackward = phase_bit(Phase::kBackward);

}  // namespace

std::string source_line_of_frame(const ProcessTrace& trace, const CodeFrame& frame) {
  return std::string(trace.names[frame.file]) + ":" + std::string(trace.names[frame.function]);
}

StackPhases::StackPhases(const ProcessTrace& trace, const PhaseRules& rules)
    : trace_(trace),
      rules_(rules),
      meanings_(trace.stacks.frames.size()),
      answers_(trace.stacks.stacks.size(), {kUnknown, kUnknown, kUnknown, kUnknown}) {}

uint32_t StackPhases::stack_of(const HostCall& call) const {
  const auto& placed = trace_.stacks.calls;
  const auto found = std::lower_bound(placed.begin(), placed.end(), call, [](const LocatedCall& a, const HostCall& b) {
    return a.thread != b.thread ? a.thread < b.thread : a.start < b.start;
  });
  const bool is_of_call = found != placed.end() && found->thread == call.thread && found->start == call.start;
  return is_of_call ? found->stack : kNoStack;
}

uint32_t StackPhases::of_call(const HostCall& call) { return of_stack(stack_of(call), {}); }

uint32_t StackPhases::of_stack(uint32_t stack, Found inside) {
  if (stack == kNoStack) return inside.is_forward ? kForward : 0;
  uint32_t& answer = answers_[stack][2 * inside.is_forward + inside.has_users];
  if (answer != kUnknown) return answer;
  for (const uint32_t index : trace_.stacks.stacks[stack].frames) {
    const Meaning& meaning = meaning_of(trace_.stacks.frames[index]);
    if (meaning.rule == nullptr) {
      inside.has_users |= meaning.is_users;
      continue;
    }
    const uint32_t told = meaning.rule->is_own && inside.has_users ? kCalledBack : phase_bit(meaning.rule->phase);
    if (told == kBackward || (!inside.is_forward && told != kForward)) return answer = told;
    inside.is_forward = true;
  }
  return answer = of_stack(trace_.stacks.stacks[stack].caller, inside);
}

const StackPhases::Meaning& StackPhases::meaning_of(const CodeFrame& frame) {
  Meaning& meaning = meanings_[static_cast<size_t>(&frame - trace_.stacks.frames.data())];
  if (!meaning.is_known && frame.language == log::FrameLanguage::kPython) {
    meaning.is_users = !is_framework_file(trace_.names[frame.file]);
    meaning.rule = rules_.rule_of_frame(source_line_of_frame(trace_, frame));
  }
  meaning.is_known = true;
  return meaning;
}

}  // namespace tauprof
