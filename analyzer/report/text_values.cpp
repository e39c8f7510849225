#include "report/text_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limits/analysis_limits.h"
#include "model/terminal_text.h"

namespace tauprof {
namespace {

// "1.234", "12.34", "123.4", "1234".
std::string four_digits(double value) {
  const double size = value < 0 ? -value : value;
  return fmt::format("{:.{}f}", value, size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0);
}

// "1.23", "12.3", "123", and of fewer digits: "1.2", "12", "120".
std::string in_digits(double value, int digits) {
  if (value <= 0) return "0";
  const double unit = std::pow(10, std::floor(std::log10(value)) - digits + 1);
  const double nearest = std::round(value / unit) * unit;
  const int decimals = std::max(0, static_cast<int>(digits - 1 - std::floor(std::log10(nearest))));
  return fmt::format("{:.{}f}", nearest, decimals);
}

struct Unit {
  double ns;
  const char* name;
};

constexpr Unit unit_of(double ns) {
  const double size = ns < 0 ? -ns : ns;
  if (size >= 0.99995e9) return {1e9, "s"};
  if (size >= 0.99995e6) return {1e6, "ms"};
  return size >= 999.5 ? Unit{1e3, "us"} : Unit{1, "ns"};
}

}  // namespace

std::string percent_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

std::string size_text(const std::optional<int64_t>& bytes) {
  if (!bytes) return "-";
  const auto value = static_cast<double>(*bytes);
  if (value >= 1 << 30) return fmt::format("{:.2f} GiB", value / (1 << 30));
  if (value >= 1 << 20) return fmt::format("{:.2f} MiB", value / (1 << 20));
  if (value >= 1 << 10) return fmt::format("{:.2f} KiB", value / (1 << 10));
  return fmt::format("{} B", *bytes);
}

std::string shortened(const std::string& text, size_t width) {
  const std::string clean = terminal_text(text);
  if (clean.size() <= width) return clean;
  size_t end = width - 3;
  while (end > 0 && (static_cast<unsigned char>(clean[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return clean.substr(0, end) + "...";
}

std::string shortened_front(const std::string& text, size_t width) {
  const std::string clean = terminal_text(text);
  if (clean.size() <= width) return clean;
  size_t start = clean.size() - (width - 3);
  while (start < clean.size() && (static_cast<unsigned char>(clean[start]) & 0xC0) == 0x80) ++start;
  return "..." + clean.substr(start);
}

std::string duration_text(double ns) {
  const Unit unit = unit_of(ns);
  return unit.ns == 1 ? fmt::format("{:.0f} ns", ns) : fmt::format("{} {}", four_digits(ns / unit.ns), unit.name);
}

std::string predicted_text(double ns, std::optional<double> error_ns) {
  constexpr int kMost = 3, kUnknown = 2;
  int digits = kUnknown;
  if (error_ns && ns > 0) {
    const double places = std::floor(std::log10(ns)) - std::floor(std::log10(std::max(*error_ns, 1e-9)));
    digits = std::clamp(static_cast<int>(std::clamp(places, 0.0, 9.0)) + 1, 1, kMost);
  }
  const Unit unit = unit_of(ns);
  return fmt::format("{} {}", in_digits(ns / unit.ns, digits), unit.name);
}

std::string with_bounds(const std::string& text, Between bounds, std::optional<double> error_ns, double step_ns) {
  constexpr double kShown = 0.005;  // of the step
  const double width = bounds.high_ns - bounds.low_ns;
  if (width < kShown * step_ns) return text;
  const std::optional<double> error = error_ns ? std::optional(std::max(width / 2, *error_ns)) : std::nullopt;
  const std::string low = predicted_text(bounds.low_ns, error), high = predicted_text(bounds.high_ns, error);
  if (low == high) return text;
  const std::string range = low + " to " + high;
  return width > kWidePrice * step_ns ? range : text + " (" + range + ")";
}

}  // namespace tauprof
