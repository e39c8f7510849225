#include "report/text_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/value_names.h"

namespace tauprof {

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

}  // namespace tauprof
