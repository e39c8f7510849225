#include "report/whatif_command.h"

namespace tauprof {

std::string whatif_options(const Finding& finding, const Report& report) {
  return finding.whatif.empty() || report.choice.empty() ? finding.whatif : finding.whatif + " " + report.choice;
}

std::string whatif_command(const Finding& finding, const Report& report) {
  return "tauprof whatif " + report.logs + " " + whatif_options(finding, report);
}

}  // namespace tauprof
