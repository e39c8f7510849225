#include "findings/duration_text.h"

#include <fmt/format.h>

namespace tauprof {
namespace {

// "1.234", "12.34", "123.4", "1234".
std::string four_digits(double value) {
  const double size = value < 0 ? -value : value;
  return fmt::format("{:.{}f}", value, size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0);
}

}  // namespace

std::string duration_text(double ns) {
  const double size = ns < 0 ? -ns : ns;
  if (size >= 0.99995e9) return four_digits(ns / 1e9) + " s";
  if (size >= 0.99995e6) return four_digits(ns / 1e6) + " ms";
  if (size >= 999.5) return four_digits(ns / 1e3) + " us";
  return fmt::format("{:.0f} ns", ns);
}

}  // namespace tauprof
