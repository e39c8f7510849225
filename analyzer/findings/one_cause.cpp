#include "findings/one_cause.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// Findings that may be too small to be one do not count.
bool is_priced(const Finding& finding, double step) {
  return finding.saves_ns_per_step.value_or(0) > finding.least_saving * step;
}

bool is_on_its_ranks(const Finding& part, const Finding& finding) {
  return finding.ranks.empty() || (!part.ranks.empty() && std::includes(finding.ranks.begin(), finding.ranks.end(),
                                                                        part.ranks.begin(), part.ranks.end()));
}

class Join {
 public:
  Join(const Faults& no_examples, Repairs& repairs, RunGraph& run)
      : no_examples_(no_examples), repairs_(repairs), run_(run) {}

  // Whether `part` is of the same cause as `finding`, which tells more: the same time, or a part of it on its ranks.
  bool is_part(const Finding& part, const Finding& finding) {
    const double own = *finding.saves_ns_per_step, parts = *part.saves_ns_per_step;
    if (finding.tells <= part.tells || parts * (1 - kOneCause) >= own) return false;
    const bool may_be_less = part.tells != Tells::kWhen && is_on_its_ranks(part, finding);
    if (!may_be_less && own * (1 - kOneCause) >= parts) return false;
    // A step that needs both, such as slow products behind a wait for the device, has two causes, of which either will
    // do.
    Changes both(run_), of_part(run_);
    repairs_.apply(finding.repair, no_examples_, both);
    repairs_.apply(part.repair, no_examples_, of_part);
    if (!both.share_operations(of_part)) return false;
    repairs_.apply(part.repair, no_examples_, both);
    return both.saving() < std::max(own, parts) + kOneCause * std::min(own, parts);
  }

 private:
  const Faults& no_examples_;
  Repairs& repairs_;
  RunGraph& run_;
};

// The finding that `part` belongs to; null: none. What delays the same steps comes before what would help as well.
Finding* whole_of(const Finding& part, Tells tells, double step, Join& join, const std::set<const Finding*>& joined,
                  std::vector<Finding>& findings) {
  Finding* whole = nullptr;
  for (Finding& finding : findings) {
    if (finding.tells != tells || finding.is_open || !is_priced(finding, step) || joined.contains(&finding)) continue;
    const bool is_better = whole == nullptr || (finding.steps == part.steps && whole->steps != part.steps);
    if (is_better && join.is_part(part, finding)) whole = &finding;
  }
  return whole;
}

}  // namespace

void join_causes(const Faults& no_examples, Repairs& repairs, RunGraph& run, std::vector<Finding>& findings) {
  Join join(no_examples, repairs, run);
  const double step = run.mean_step(run.measured());
  std::set<const Finding*> joined;
  for (const Tells tells : {Tells::kWho, Tells::kWhy, Tells::kWhat})
    for (const Finding& part : findings) {
      if (!is_priced(part, step) || joined.contains(&part)) continue;
      Finding* const whole = whole_of(part, tells, step, join, joined, findings);
      if (whole == nullptr) continue;
      whole->parts.push_back(part);
      joined.insert(&part);
    }
  std::erase_if(findings, [&](const Finding& finding) { return joined.contains(&finding); });
}

void tell_hidden_time(const Faults& no_examples, Repairs& repairs, RunGraph& run, std::vector<Finding>& findings) {
  const double least = kWorthwhile * run.mean_step(run.measured());
  const auto is_of_a_row = [](const Finding& one) {
    return one.tells == Tells::kWhat && one.least_saving == 0 && !one.is_open && one.saves_ns_per_step;
  };
  const auto beyond_its_time = [](const Finding& one) { return *one.saves_ns_per_step - one.cost_ns_per_step; };
  for (Finding& finding : findings) {
    if (!is_of_a_row(finding) || beyond_its_time(finding) < least) continue;
    for (const Finding& other : findings) {
      if (!is_of_a_row(other) || beyond_its_time(other) >= least) continue;
      Changes both(run);
      repairs.apply(finding.repair, no_examples, both);
      repairs.apply(other.repair, no_examples, both);
      const double shared = *finding.saves_ns_per_step + *other.saves_ns_per_step - both.saving();
      const double hidden = std::min(shared, beyond_its_time(finding));
      if (hidden < std::max(least, finding.hides_ns_per_step)) continue;
      finding.hides_ns_per_step = hidden;
      finding.hides = other.title;
    }
  }
}

}  // namespace tauprof
