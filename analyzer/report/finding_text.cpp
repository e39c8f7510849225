#include "report/finding_text.h"

#include "report/text_lines.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {

std::string findings_text(const std::vector<Finding>& findings) {
  TextLines lines;
  lines.line("\nFINDINGS");
  if (findings.empty()) lines.line("  none");
  for (const Finding& finding : findings) {
    lines.line("  [{}] {}{}", name_of(finding.severity), finding.title,
               finding.saves_ns_per_step.value_or(0) > 0
                   ? ": saves " + duration_text(*finding.saves_ns_per_step) + " a step"
                   : "");
    lines.line("      {}", finding.evidence);
    if (!finding.where.empty())
      lines.line("      at {}{}", shortened_front(finding.where, 160),
                 finding.where_share > 0 ? fmt::format(" ({:.0f} % of it)", 100 * finding.where_share) : "");
    lines.line("      {}", finding.advice);
  }
  return lines.take();
}

}  // namespace tauprof
