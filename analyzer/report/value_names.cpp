#include "report/value_names.h"

#include <fmt/format.h>

#include <ctime>

namespace tauprof {

NameList names_of(const SpanClass*) {
  static constexpr std::string_view kNames[] = {"compute", "fused", "comm", "copy", "unclassified", "sync"};
  return kNames;
}

NameList names_of(const SuspectReason*) {
  static constexpr std::string_view kNames[] = {"elsewhere", "silent", "ended", "different_call", "deadlock", "no_log"};
  return kNames;
}

NameList names_of(const ClockBasis*) {
  static constexpr std::string_view kNames[] = {"shared", "wall_clock", "assumed", "collectives", "unknown"};
  return kNames;
}

NameList names_of(const StepOrigin*) {
  static constexpr std::string_view kNames[] = {"marker", "pytorch", "trace", "inferred", "none"};
  return kNames;
}

NameList names_of(const Severity*) {
  static constexpr std::string_view kNames[] = {"info", "warning", "critical"};
  return kNames;
}

NameList names_of(const LinkUnknown*) {
  static constexpr std::string_view kNames[] = {
      "", "one_size", "few_sizes", "narrow_sizes", "alpha_in_noise", "beta_in_noise", "both_in_noise"};
  return kNames;
}

NameList names_of(const HostSource*) {
  static constexpr std::string_view kNames[] = {"", "light", "second-run", "step-time"};
  return kNames;
}

NameList names_of(const HealthOutcome*) {
  static constexpr std::string_view kNames[] = {"pass", "fail", "unknown"};
  return kNames;
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
