#include "findings/finding_words.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

namespace {

bool has_price_of_row(const Finding& finding) {
  return finding.tells == Tells::kWhat && finding.least_saving == 0 && finding.saves_ns_per_step;
}

// Less comes back than the row's time, because something else takes as long.
bool gives_back_less(const Finding& finding) {
  return has_price_of_row(finding) && *finding.saves_ns_per_step < kGivesBack * finding.cost_ns_per_step;
}

bool gives_back_more(const Finding& finding) {
  return has_price_of_row(finding) && finding.cost_ns_per_step < kGivesBack * *finding.saves_ns_per_step;
}

}  // namespace

Statement evidence_of(const Finding& finding) {
  Statement evidence = finding.evidence;
  if (gives_back_less(finding)) evidence.also("most of that would be waited for elsewhere");
  if (finding.saves_there_ns_per_step)
    evidence.also(said("behind that the other ranks' own is hidden: repaired there alone, it saves ",
                       Duration{*finding.saves_there_ns_per_step}));
  if (gives_back_more(finding))
    evidence.also(finding.hides.empty()
                      ? Statement("what it saves beyond that is time of other rows")
                      : said(Duration{finding.hides_ns_per_step}, " of what it saves it only hides: ", finding.hides));
  for (const Finding& part : finding.parts)
    evidence.also(part.tells == Tells::kWhen ? said(part.title, ": ", evidence_of(part)) : evidence_of(part));
  if (finding.saves_on_top_ns_per_step)
    evidence.also(said("on top of the other repairs it saves ", Duration{*finding.saves_on_top_ns_per_step}));
  if (finding.saves_nothing)
    evidence.also("repairing that alone saves nothing, something else delays the steps as long");
  return evidence;
}

const Statement& advice_of(const Finding& finding) {
  if (finding.tells != Tells::kWho) return finding.advice;
  const auto why = std::find_if(finding.parts.rbegin(), finding.parts.rend(),
                                [](const Finding& part) { return part.tells != Tells::kWhen; });
  return why == finding.parts.rend() ? finding.advice : advice_of(*why);
}

FindingWhere where_of(const Finding& finding) {
  if (!finding.where.empty()) return {finding.where, finding.where_share};
  for (const Finding& part : finding.parts)
    if (FindingWhere there = where_of(part); !there.place.empty()) return there;
  return {};
}

}  // namespace tauprof
