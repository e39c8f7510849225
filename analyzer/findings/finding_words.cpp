#include "findings/finding_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "findings/duration_text.h"
#include "limits/analysis_limits.h"

namespace tauprof {

namespace {

// Of a row of the ledger: less comes back than its time, because something else takes as long.
bool gives_back_less(const Finding& finding) {
  return finding.tells == Tells::kWhat && finding.least_saving == 0 && finding.saves_ns_per_step &&
         *finding.saves_ns_per_step < kGivesBack * finding.cost_ns_per_step;
}

}  // namespace

std::string evidence_text(const Finding& finding) {
  std::string text = finding.evidence;
  if (gives_back_less(finding)) text += "; most of that would be waited for elsewhere";
  if (finding.saves_there_ns_per_step)
    text += fmt::format("; behind that the other ranks' own is hidden: repaired there alone, it saves {}",
                        duration_text(*finding.saves_there_ns_per_step));
  for (const Finding& part : finding.parts)
    text += "; " + (part.tells == Tells::kWhen ? part.title + ": " : "") + evidence_text(part);
  if (finding.saves_on_top_ns_per_step)
    text += fmt::format("; on top of the other repairs it saves {}", duration_text(*finding.saves_on_top_ns_per_step));
  if (finding.saves_nothing) text += "; repairing that alone saves nothing, something else holds up the steps as long";
  return text;
}

const std::string& advice_text(const Finding& finding) {
  if (finding.tells != Tells::kWho) return finding.advice;
  const auto why = std::find_if(finding.parts.rbegin(), finding.parts.rend(),
                                [](const Finding& part) { return part.tells != Tells::kWhen; });
  return why == finding.parts.rend() ? finding.advice : advice_text(*why);
}

FindingWhere where_of(const Finding& finding) {
  if (!finding.where.empty()) return {finding.where, finding.where_share};
  for (const Finding& part : finding.parts)
    if (FindingWhere there = where_of(part); !there.place.empty()) return there;
  return {};
}

}  // namespace tauprof
