#include "diff/diff_values.h"

#include <fmt/format.h>

#include <cmath>

#include "report/value_names.h"

namespace tauprof {
namespace {

std::string_view sign_of(double value) { return value < 0 ? "−" : "+"; }

}  // namespace

std::string difference_text(Nanoseconds difference) {
  if (difference == 0) return "0";
  const auto value = static_cast<double>(difference);
  return fmt::format("{}{}", sign_of(value), duration_text(std::abs(value)));
}

std::string change_text(double share) {
  const double percent = 100 * std::abs(share);
  if (percent < 0.005) return "0 %";
  return fmt::format("{}{:.{}f} %", sign_of(share), percent, percent < 1 ? 2 : 1);
}

std::string share_text(double share) {
  const double percent = std::round(1000 * std::abs(share)) / 10;
  return fmt::format("{}{:.1f} %", share < 0 && percent > 0 ? "−" : "", percent);
}

std::string probability_text(const std::optional<double>& p) {
  if (!p) return "-";
  if (*p < 1e-99) return "<1e-99";
  if (*p < 1e-3) return fmt::format("{:.0e}", *p);
  return fmt::format("{:.2g}", *p);
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSlower:
      return "slower";
    case Outcome::kFaster:
      return "faster";
    case Outcome::kNotShown:
      return "not_shown";
    default:
      return "not_judged";
  }
}

std::string_view name_of(IntervalMethod method) {
  switch (method) {
    case IntervalMethod::kBlocks:
      return "moving_blocks";
    case IntervalMethod::kRuns:
      return "resampled_runs";
    case IntervalMethod::kStudent:
      return "student";
    default:
      return "none";
  }
}

std::string_view name_of(Units units) {
  switch (units) {
    case Units::kSteps:
      return "steps";
    case Units::kRuns:
      return "runs";
    default:
      return "none";
  }
}

}  // namespace tauprof
