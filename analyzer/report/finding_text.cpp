#include "findings/finding_words.h"
#include "report/repairs.h"
#include "report/statement_text.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {

namespace {

// ": saves 12.3 ms a step", where that is known.
std::string saving_of(const Finding& finding) {
  if (!finding.saves_ns_per_step) return "";
  if (*finding.saves_ns_per_step <= 0) return ": saves nothing";
  return ": saves " + duration_text(*finding.saves_ns_per_step) + " a step";
}

}  // namespace

std::string findings_text(const Report& report) {
  const std::vector<Finding>& findings = report.findings;
  const Savings& savings = report.savings;
  const std::string reason_of_all = text_of(savings.reason);
  TextLines lines;
  lines.line("\nFINDINGS   (what a repair saves: the run replayed without the cause)");
  if (findings.empty()) lines.line("  none");
  for (const Finding& finding : findings) {
    lines.line("  [{}] {}{}", name_of(finding.severity), text_of(finding.title), saving_of(finding));
    lines.line("      {}", text_of(evidence_of(finding)));
    if (const FindingWhere where = where_of(finding); !where.place.empty())
      lines.line("      at {}{}", shortened_front(where.place, 160),
                 where.share > 0 ? fmt::format(" ({:.0f} % of it)", 100 * where.share) : "");
    lines.line("      {}", text_of(advice_of(finding)));
    if (!finding.whatif.empty()) lines.line("      {}", whatif_command(finding, report));
    const bool could_save = finding.cost_ns_per_step > 0 || !finding.repair.reason.empty();
    const std::string reason = text_of(finding.saves_reason);
    if (could_save && !reason.empty() && reason != reason_of_all)
      lines.line("      what it saves is not known: {}", reason);
  }
  if (!reason_of_all.empty()) lines.line("  what they save is not known: {}", reason_of_all);
  if (savings.combined_ns_per_step && !findings.empty())
    lines.line("  all of them together save {} a step{}", duration_text(*savings.combined_ns_per_step),
               !savings.error ? "; how well the replay repeats steps takes two of them"
               : savings.is_predicted
                   ? fmt::format("; light steps are predicted to {:.2f} %", 100 * savings.error->mean)
                   : fmt::format("; the replay repeats steps to {:.2f} %, at worst {:.2f} %", 100 * savings.error->mean,
                                 100 * savings.error->worst));
  return lines.take();
}

}  // namespace tauprof
