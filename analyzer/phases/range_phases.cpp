#include "phases/range_phases.h"

#include <algorithm>
#include <string_view>

namespace tauprof {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

bool is_plain(std::string_view name) { return std::all_of(name.begin(), name.end(), is_word); }

bool is_in_namespace(std::string_view name) {
  const size_t end = name.find("::");
  return end != name.npos && end > 0 && is_plain(name.substr(0, end));
}

}  // namespace

RangePhases::RangePhases(const ProcessTrace& trace, const PhaseRules& rules)
    : trace_(trace), rules_(rules), ranges_(trace.names.size()), operators_(trace.names.size()) {
  has_annotations_ = std::any_of(trace.ranges.begin(), trace.ranges.end(),
                                 [](const HostRange& range) { return range.source == log::RangeSource::kAnnotation; });
}

bool RangePhases::is_operator(const HostRange& range) const {
  if (range.source != log::RangeSource::kOperator) return false;
  const std::string_view name = trace_.names[range.name];
  return is_in_namespace(name) || (has_annotations_ && is_plain(name));
}

std::optional<Phase> RangePhases::of(const HostRange& range) {
  const bool is_of_framework = is_operator(range);
  Known& known = (is_of_framework ? operators_ : ranges_)[range.name];
  if (!known.is_known) {
    const std::string_view name = trace_.names[range.name];
    known = {true, is_of_framework ? rules_.phase_of_operator(name) : rules_.phase_of_range(name)};
  }
  return known.phase;
}

}  // namespace tauprof
