#include "findings/finding.h"

#include "limits/analysis_limits.h"

namespace tauprof {

Severity severity_of(double share) {
  return share >= kCriticalShare ? Severity::kCritical : share >= kWarningShare ? Severity::kWarning : Severity::kInfo;
}

}  // namespace tauprof
