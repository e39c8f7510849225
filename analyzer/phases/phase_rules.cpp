#include "phases/phase_rules.h"

#include <cstdlib>

#include "model/file_name.h"
#include "model/letter_pairs.h"
#include "phases/rule.h"

namespace tauprof {
namespace {

const PhaseRule* first_fit(const RuleLists& rules, RuleKind kind, std::string_view name) {
  const std::vector<PhaseRule>& of_kind = rules[static_cast<size_t>(kind)];
  if (of_kind.empty()) return nullptr;
  const LetterPairs pairs(name);
  for (const PhaseRule& rule : of_kind)
    if (pairs.may_fit(rule.pattern) && fits_pattern(rule.pattern, name)) return &rule;
  return nullptr;
}

}  // namespace

const PhaseRules& PhaseRules::shipped() {
  static const PhaseRules rules = [] {
    PhaseRules read;
    if (!read_rules("ranges.rules", kShippedRules, read.rules_).is_ok()) std::abort();
    return read;
  }();
  return rules;
}

Status PhaseRules::read(std::string_view text, const std::string& source, PhaseRules& rules) {
  rules.rules_ = {};
  if (Status status = read_rules(source, text, rules.rules_); !status.is_ok()) return status;
  for (size_t kind = 0; kind < kRuleKinds; ++kind) {
    const std::vector<PhaseRule>& others = shipped().rules_[kind];
    rules.rules_[kind].insert(rules.rules_[kind].end(), others.begin(), others.end());
  }
  return Status::ok();
}

std::optional<Phase> PhaseRules::phase_of_range(std::string_view name) const {
  if (const size_t end = name.find("): "); end != name.npos && name.substr(0, end).find(".py(") != name.npos) {
    const std::string_view file = file_name(name.substr(0, name.find(".py(")));
    if (const PhaseRule* const rule = first_fit(rules_, RuleKind::kFile, file)) return rule->phase;
    name.remove_prefix(end + 3);
  }
  return phase_of(RuleKind::kRange, name);
}

std::optional<Phase> PhaseRules::phase_of_operator(std::string_view name) const {
  return phase_of(RuleKind::kOperator, name);
}

std::optional<Phase> PhaseRules::phase_of_kernel(std::string_view name) const {
  return phase_of(RuleKind::kKernel, name);
}

std::optional<Phase> PhaseRules::phase_of(RuleKind kind, std::string_view name) const {
  const PhaseRule* const rule = first_fit(rules_, kind, name);
  return rule == nullptr ? std::nullopt : rule->phase;
}

}  // namespace tauprof
