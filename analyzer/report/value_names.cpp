#include "report/value_names.h"

#include <fmt/format.h>

#include <ctime>

namespace tauprof {

std::string_view name_of(SpanClass span_class) {
  static constexpr std::string_view kNames[] = {"compute", "fused", "comm", "copy", "unclassified", "sync"};
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

std::string_view name_of(StepOrigin origin) {
  static constexpr std::string_view kNames[] = {"marker", "pytorch", "trace", "inferred", "none"};
  return kNames[static_cast<size_t>(origin)];
}

std::string_view name_of(Severity severity) {
  static constexpr std::string_view kNames[] = {"info", "warning", "critical"};
  return kNames[static_cast<size_t>(severity)];
}

std::string iso_time(int64_t realtime_ns) {
  const std::time_t seconds = realtime_ns / 1'000'000'000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace tauprof
