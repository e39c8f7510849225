#include "report/repair_edge.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/repairs.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {

RepairEdge::RepairEdge(const Report& report)
    : step_(step_before(report)),
      error_ns_(report.savings.error_ns(step_)),
      is_by_time_(report.verdict && report.verdict->is_by_time),
      head_(is_by_time_ ? fmt::format("takes of the {}", report.unit())
                        : fmt::format("the {} becomes", report.unit())) {}

std::string RepairEdge::of(const Finding& finding) const {
  if (is_urgent(finding)) return "";
  if (is_by_time_) return finding.cost_ns_per_step > 0 ? duration_text(finding.cost_ns_per_step) : "";
  if (!finding.saves_ns_per_step || step_ <= 0) return "not known";
  const auto without = [&](double saves) { return std::max(0.0, step_ - saves); };
  const std::string step = predicted_text(without(*finding.saves_ns_per_step), error_ns_);
  if (!finding.saves_between) return step;
  return with_bounds(step, {without(finding.saves_between->high), without(finding.saves_between->low)}, error_ns_,
                     step_);
}

}  // namespace tauprof
