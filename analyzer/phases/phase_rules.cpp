#include "phases/phase_rules.h"

#include <algorithm>
#include <cstdlib>

#include "phases/rule_pattern.h"
#include "phases/rule_reader.h"
#include "phases/shipped_rules.h"

namespace tauprof {

const PhaseRules& PhaseRules::shipped() {
  static const PhaseRules rules = [] {
    PhaseRules read;
    for (const ShippedRules& file : kShippedRules)
      if (!RuleReader(file.name, read).read(file.text).is_ok()) std::abort();
    return read;
  }();
  return rules;
}

Status PhaseRules::read(std::string_view text, const std::string& source, PhaseRules& rules) {
  rules = {};
  if (Status status = RuleReader(source, rules).read(text); !status.is_ok()) return status;
  const PhaseRules& others = shipped();
  rules.ranges_.insert(rules.ranges_.end(), others.ranges_.begin(), others.ranges_.end());
  rules.frames_.insert(rules.frames_.end(), others.frames_.begin(), others.frames_.end());
  rules.calls_.insert(rules.calls_.end(), others.calls_.begin(), others.calls_.end());
  return Status::ok();
}

std::optional<Phase> PhaseRules::phase_of_range(std::string_view name) const {
  std::string_view file;
  if (const size_t end = name.find("): "); end != name.npos && name.substr(0, end).find(".py(") != name.npos) {
    const std::string_view path = name.substr(0, name.find(".py("));
    file = path.substr(path.rfind('/') + 1);
    name.remove_prefix(end + 3);
  }
  const auto find = [&](bool is_file, std::string_view text) {
    return std::find_if(ranges_.begin(), ranges_.end(), [&](const RangeRule& rule) {
      return rule.is_file == is_file && fits_pattern(rule.pattern, text);
    });
  };
  if (!file.empty())
    if (const auto rule = find(true, file); rule != ranges_.end()) return rule->phase;
  const auto rule = find(false, name);
  return rule == ranges_.end() ? std::nullopt : std::optional(rule->phase);
}

const FrameRule* PhaseRules::rule_of_frame(std::string_view place) const {
  const auto rule = std::find_if(frames_.begin(), frames_.end(),
                                 [&](const FrameRule& one) { return fits_pattern(one.pattern, place); });
  return rule == frames_.end() ? nullptr : &*rule;
}

}  // namespace tauprof
