#include "phases/call_rules.h"

#include <algorithm>
#include <string>

#include "phases/rule_pattern.h"

namespace tauprof {
namespace {

template <class Value>
bool has(uint32_t bits, Value value) {
  return bits == 0 || (bits >> static_cast<uint32_t>(value) & 1u) != 0;
}

bool fits_text(const std::string& pattern, std::string_view text) {
  return pattern.empty() || fits_pattern(pattern, text);
}

}  // namespace

CallRules::CallRules(const ProcessTrace& trace, const CallFacts& facts, const PhaseRules& rules)
    : trace_(trace), facts_(facts), rules_(rules) {}

const std::vector<const CallRule*>& CallRules::candidates(uint32_t index) {
  const HostCall& call = trace_.calls[index];
  const uint64_t kind = static_cast<uint64_t>(facts_.rule_class(index)) << 60 |
                        static_cast<uint64_t>(facts_.copy(index)) << 58 |
                        static_cast<uint64_t>(call.thread & 0x3FF) << 48 |
                        static_cast<uint64_t>(call.function & 0xFFFFFF) << 24 | (facts_.kernel(index) & 0xFFFFFF);
  const auto [found, is_new] = of_kind_.try_emplace(kind);
  if (is_new)
    for (const CallRule& rule : rules_.calls())
      if (may_fit(rule, index)) found->second.push_back(&rule);
  return found->second;
}

bool CallRules::may_fit(const CallRule& rule, uint32_t index) {
  const HostCall& call = trace_.calls[index];
  const bool is_main = call.thread == facts_.main() && facts_.has_main();
  const bool is_other = call.thread != facts_.main() && facts_.has_main();
  if (rule.role == RuleRole::kMain && !is_main) return false;
  if (rule.role == RuleRole::kOther && !is_other) return false;
  if (rule.threads == RuleThreads::kOne && facts_.has_several()) return false;
  if (rule.threads == RuleThreads::kSeveral && !facts_.has_several()) return false;
  if (!has(rule.classes, facts_.rule_class(index))) return false;
  if (rule.copies != 0 && (facts_.copy(index) == RuleCopy::kNone || !has(rule.copies, facts_.copy(index))))
    return false;
  if (!fits_text(rule.thread, trace_.names[trace_.threads[call.thread].name])) return false;
  if (!fits_text(rule.function, trace_.names[call.function])) return false;
  const NameId kernel = facts_.kernel(index);
  if (rule.is_optimizer && (kernel == kNoName || !facts_.is_optimizer(kernel))) return false;
  return rule.kernel.empty() || kernel_fits(rule.kernel, kernel);
}

bool CallRules::kernel_fits(const std::vector<std::string>& patterns, NameId kernel) {
  if (kernel == kNoName) return false;
  const auto [known, is_new] = fitting_.try_emplace({&patterns, kernel}, false);
  if (is_new)
    known->second = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return fits_pattern(pattern, trace_.names[kernel]);
    });
  return known->second;
}

// A step's kernels are asked once each: there may be as many as calls.
bool CallRules::is_seen(const CallRule& rule, const LaunchedBefore& launched) {
  Seen& seen = seen_[&rule];
  if (seen.number != launched.number) seen = {launched.number, 0, false};
  for (; !seen.is_seen && seen.asked < launched.kernels.size(); ++seen.asked)
    seen.is_seen = kernel_fits(rule.seen, launched.kernels[seen.asked]);
  return seen.is_seen;
}

bool CallRules::fits(const CallRule& rule, uint32_t index, const LaunchedBefore& launched) {
  if (rule.after != 0 && (rule.after & launched.phases) == 0) return false;
  if (!has(rule.parts, facts_.part(index))) return false;
  if (!rule.before.empty() && !kernel_fits(rule.before, facts_.next_kernel(index))) return false;
  if (!rule.seen.empty() && !is_seen(rule, launched)) return false;
  return rule.frame.empty() || frame_fits(rule, stack_of(trace_.calls[index]));
}

uint32_t CallRules::stack_of(const HostCall& call) const {
  const auto& placed = trace_.stacks.calls;
  const auto found = std::lower_bound(placed.begin(), placed.end(), call, [](const LocatedCall& a, const HostCall& b) {
    return a.thread != b.thread ? a.thread < b.thread : a.start < b.start;
  });
  const bool is_of_call = found != placed.end() && found->thread == call.thread && found->start == call.start;
  return is_of_call ? found->stack : kNoStack;
}

// Stacks share their callers, so each stack's own frames are asked once.
bool CallRules::frame_fits(const CallRule& rule, uint32_t stack) {
  if (stack == kNoStack) return false;
  const auto [known, is_new] = fitting_stacks_.try_emplace({&rule, stack}, false);
  if (!is_new) return known->second;
  const CodeStack& code = trace_.stacks.stacks[stack];
  const bool fits = std::any_of(code.frames.begin(), code.frames.end(), [&](uint32_t frame) {
    const CodeFrame& one = trace_.stacks.frames[frame];
    return fits_pattern(rule.frame,
                        std::string(trace_.names[one.file]) + ":" + std::string(trace_.names[one.function]));
  });
  return known->second = fits || frame_fits(rule, code.caller);
}

}  // namespace tauprof
