#include "diff/diff_values.h"

#include <fmt/format.h>

#include <cmath>

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

std::string part_text(double share) {
  const double percent = std::round(1000 * std::abs(share)) / 10;
  return fmt::format("{}{:.1f} %", share < 0 && percent > 0 ? "−" : "", percent);
}

std::string probability_text(const std::optional<double>& p) {
  if (!p) return "-";
  if (*p < 1e-99) return "<1e-99";
  if (*p < 1e-3) return fmt::format("{:.0e}", *p);
  return fmt::format("{:.2g}", *p);
}

NameList names_of(const Outcome*) {
  static constexpr std::string_view kNames[] = {"slower", "faster", "not_shown", "not_judged"};
  return kNames;
}

NameList names_of(const IntervalMethod*) {
  static constexpr std::string_view kNames[] = {"none", "moving_blocks", "resampled_runs", "student"};
  return kNames;
}

NameList names_of(const Units*) {
  static constexpr std::string_view kNames[] = {"none", "steps", "runs"};
  return kNames;
}

}  // namespace tauprof
