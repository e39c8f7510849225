#include "findings/finding.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

bool Finding::is_why_known() const {
  return !is_why_unknown ||
         std::any_of(parts.begin(), parts.end(), [](const Finding& part) { return part.tells != Tells::kWhen; });
}

Severity severity_of(double share) {
  return share >= kCriticalShare ? Severity::kCritical : share >= kWarningShare ? Severity::kWarning : Severity::kInfo;
}

}  // namespace tauprof
