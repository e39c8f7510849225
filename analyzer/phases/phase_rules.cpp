#include "phases/phase_rules.h"

#include <algorithm>
#include <cstdlib>

#include "model/file_name.h"
#include "phases/rule_pattern.h"
#include "phases/rule_reader.h"
#include "phases/shipped_rules.h"

namespace tauprof {

const PhaseRules& PhaseRules::shipped() {
  static const PhaseRules rules = [] {
    PhaseRules read;
    for (const ShippedRules& file : kShippedRules)
      if (!RuleReader(file.name, read.lists_).read(file.text).is_ok()) std::abort();
    return read;
  }();
  return rules;
}

Status PhaseRules::read(std::string_view text, const std::string& source, PhaseRules& rules) {
  RuleLists& lists = rules.lists_;
  lists = {};
  if (Status status = RuleReader(source, lists).read(text); !status.is_ok()) return status;
  const RuleLists& others = shipped().lists_;
  lists.ranges.insert(lists.ranges.end(), others.ranges.begin(), others.ranges.end());
  lists.calls.insert(lists.calls.end(), others.calls.begin(), others.calls.end());
  return Status::ok();
}

std::optional<Phase> PhaseRules::phase_of_range(std::string_view name) const {
  std::string_view file;
  if (const size_t end = name.find("): "); end != name.npos && name.substr(0, end).find(".py(") != name.npos) {
    file = file_name(name.substr(0, name.find(".py(")));
    name.remove_prefix(end + 3);
  }
  const std::vector<RangeRule>& ranges = lists_.ranges;
  const auto find = [&](bool is_file, std::string_view text) {
    return std::find_if(ranges.begin(), ranges.end(), [&](const RangeRule& rule) {
      return rule.is_file == is_file && fits_pattern(rule.pattern, text);
    });
  };
  if (!file.empty())
    if (const auto rule = find(true, file); rule != ranges.end()) return rule->phase;
  const auto rule = find(false, name);
  return rule == ranges.end() ? std::nullopt : rule->phase;
}

}  // namespace tauprof
