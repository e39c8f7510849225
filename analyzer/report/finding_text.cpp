#include "findings/finding_words.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {

namespace {

// ": saves 12.3 ms a step", where that is known.
std::string saving_of(const Finding& finding) {
  if (finding.saves_ns_per_step) return ": saves " + duration_text(*finding.saves_ns_per_step) + " a step";
  return "";
}

}  // namespace

std::string findings_text(const Report& report) {
  const std::vector<Finding>& findings = report.findings;
  const Savings& savings = report.savings;
  TextLines lines;
  lines.line("\nFINDINGS   (what a repair saves: the run replayed without the cause)");
  if (findings.empty()) lines.line("  none");
  for (const Finding& finding : findings) {
    lines.line("  [{}] {}{}", name_of(finding.severity), finding.title, saving_of(finding));
    lines.line("      {}", evidence_text(finding));
    if (const FindingWhere where = where_of(finding); !where.place.empty())
      lines.line("      at {}{}", shortened_front(where.place, 160),
                 where.share > 0 ? fmt::format(" ({:.0f} % of it)", 100 * where.share) : "");
    lines.line("      {}", advice_text(finding));
    const bool could_save = finding.cost_ns_per_step > 0 || !finding.repair.reason.empty();
    if (could_save && !finding.saves_reason.empty() && finding.saves_reason != savings.reason)
      lines.line("      what it saves is not known: {}", finding.saves_reason);
  }
  if (!savings.reason.empty()) lines.line("  what they save is not known: {}", savings.reason);
  if (savings.combined_ns_per_step && !findings.empty())
    lines.line("  all of them together save {} a step{}", duration_text(*savings.combined_ns_per_step),
               !savings.error         ? "; how well the replay repeats steps takes two of them"
               : savings.is_predicted ? fmt::format("; light steps are predicted to {:.2f} %", 100 * savings.error->mean)
                                      : fmt::format("; the replay repeats steps to {:.2f} %, at worst {:.2f} %",
                                                    100 * savings.error->mean, 100 * savings.error->worst));
  return lines.take();
}

}  // namespace tauprof
