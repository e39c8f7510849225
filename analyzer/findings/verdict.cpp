#include "findings/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

constexpr std::array<std::pair<std::string_view, VerdictClass>, 9> kAbout = {{
    {"data-wait", VerdictClass::kData},
    {"exposed-copy", VerdictClass::kData},
    {"exposed-comm", VerdictClass::kComm},
    {"exposed-comm-unsplit", VerdictClass::kComm},
    {"launch-bound", VerdictClass::kHost},
    {"host-sync", VerdictClass::kHost},
    {"host-stall", VerdictClass::kHost},
    {"allocation", VerdictClass::kHost},
    {"straggler", VerdictClass::kStraggler},
}};

std::optional<VerdictClass> class_of(const Finding& finding) {
  for (const auto& [id, about] : kAbout)
    if (finding.id == id) return about;
  return std::nullopt;
}

// "Rank 2 holds up the others: without that, the step takes 0.236 s instead of 1.221 s".
std::string with_saving(const Finding& finding, double step) {
  return fmt::format("{}; without that the step takes {:.4g} ms instead of {:.4g} ms", finding.title,
                     (step - *finding.saves_ns_per_step) / 1e6, step / 1e6);
}

}  // namespace

std::string_view name_of(VerdictClass verdict) {
  constexpr std::string_view kNames[] = {"hang", "straggler", "balanced", "gpu", "data", "comm", "host"};
  return kNames[static_cast<size_t>(verdict)];
}

std::optional<Verdict> verdict_of(const RunMetrics& metrics, const std::vector<Finding>& findings,
                                  const Savings& savings) {
  for (const Finding& finding : findings)
    if (finding.id == "hang") return Verdict{VerdictClass::kHang, finding.title, {finding.evidence}};
  const double step = metrics.step_duration.mean;
  if (!savings.reason.empty() || step <= 0) return std::nullopt;
  const Finding* best = nullptr;
  for (const Finding& finding : findings) {
    if (!finding.saves_ns_per_step || !class_of(finding)) continue;
    if (finding.id == "straggler" && *finding.saves_ns_per_step >= kStragglerVerdict * step)
      return Verdict{VerdictClass::kStraggler, with_saving(finding, step), {finding.evidence}};
    if (best == nullptr || *finding.saves_ns_per_step > *best->saves_ns_per_step) best = &finding;
  }
  const LedgerRows rows = metrics.ledger.rows();
  const double computes = static_cast<double>(rows[static_cast<size_t>(LedgerRow::kCompute)]) /
                          static_cast<double>(std::max<Nanoseconds>(1, metrics.ledger.sum()));
  const std::string compute = fmt::format("the devices compute {:.0f} % of the time", 100 * computes);
  if (best == nullptr || *best->saves_ns_per_step < kWorthwhile * step)
    return Verdict{
        VerdictClass::kBalanced, fmt::format("No repair gives {:.0f} % of the step", 100 * kWorthwhile), {compute}};
  if (computes >= kComputesMostly)
    return Verdict{
        VerdictClass::kGpu, fmt::format("The kernels are what takes time: {}", compute), {with_saving(*best, step)}};
  return Verdict{*class_of(*best), with_saving(*best, step), {best->evidence}};
}

}  // namespace tauprof
