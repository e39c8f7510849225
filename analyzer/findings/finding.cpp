#include "findings/finding.h"

#include <algorithm>
#include <tuple>

#include "limits/analysis_limits.h"

namespace tauprof {

bool Finding::is_why_known() const {
  return !is_why_unknown ||
         std::any_of(parts.begin(), parts.end(), [](const Finding& part) { return part.tells != Tells::kWhen; });
}

double weight_of(const Finding& finding, double ns) {
  return (ns - finding.hides_ns_per_step) * (finding.tells == Tells::kWhen ? 1 - kOneCause : 1);
}

bool is_better(const Finding& a, const Finding& b, double step) {
  const auto rank = [&](const Finding& one) {
    const double saving = one.saves_ns_per_step.value_or(-1);
    const bool is_known = !one.is_open && one.is_why_known() && saving >= kWorthwhile * step;
    return std::tuple(is_known, weight_of(one, saving), !one.is_open);
  };
  return rank(a) > rank(b);
}

Severity severity_of(double share) {
  return share >= kCriticalShare ? Severity::kCritical : share >= kWarningShare ? Severity::kWarning : Severity::kInfo;
}

}  // namespace tauprof
