#include "report/value_names.h"

#include <fmt/format.h>

#include <ctime>

namespace tauprof {

std::string_view name_of(SpanClass span_class) {
  static constexpr std::string_view kNames[] = {"compute", "comm", "copy", "unclassified", "sync"};
  return kNames[static_cast<size_t>(span_class)];
}

std::string_view name_of(SuspectReason reason) {
  static constexpr std::string_view kNames[] = {"elsewhere", "silent", "ended", "different_call", "deadlock", "no_log"};
  return kNames[static_cast<size_t>(reason)];
}

std::string_view name_of(ClockBasis basis) {
  static constexpr std::string_view kNames[] = {"shared", "wall_clock", "assumed", "collectives", "unknown"};
  return kNames[static_cast<size_t>(basis)];
}

std::string_view name_of(Severity severity) {
  static constexpr std::string_view kNames[] = {"info", "warning", "critical"};
  return kNames[static_cast<size_t>(severity)];
}

std::string valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead >> 5 == 0x6 ? 2 : lead >> 4 == 0xE ? 3 : lead >> 3 == 0x1E ? 4 : 0;
    bool good = length != 0 && i + length <= text.size();
    uint32_t code = length == 1 ? lead : length == 0 ? 0 : lead & (0x7Fu >> length);
    for (size_t k = 1; good && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      good = next >> 6 == 0x2;
      code = code << 6 | (next & 0x3Fu);
    }
    static constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    good = good && code >= kLeast[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    if (good)
      result.append(text.substr(i, length));
    else
      result += "\xEF\xBF\xBD";
    i += good ? length : 1;
  }
  return result;
}

std::string iso_time(int64_t realtime_ns) {
  const std::time_t seconds = realtime_ns / 1'000'000'000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string duration_text(double ns) {
  const double size = ns < 0 ? -ns : ns;
  if (size >= 1e9) return fmt::format("{:.3f} s", ns / 1e9);
  if (size >= 1e6) return fmt::format("{:.3f} ms", ns / 1e6);
  if (size >= 1e3) return fmt::format("{:.2f} us", ns / 1e3);
  return fmt::format("{:.0f} ns", ns);
}

}  // namespace tauprof
