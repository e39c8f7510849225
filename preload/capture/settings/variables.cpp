#include "capture/settings/variables.h"

#include <stdlib.h>
#include <unistd.h>

namespace tauprof::capture {
namespace {

constexpr uint64_t kOne = 1'000'000'000;  // in billionths

const char* const* first_environment = nullptr;

// Reads a decimal number with an optional fraction, in billionths. False: the text is no such number.
bool parse_billionths(const char* text, uint64_t& billionths) {
  constexpr uint64_t kLargestWhole = 1'000'000'000;
  uint64_t whole = 0, fraction = 0, digit_value = 100'000'000;
  const char* at = text;
  for (; *at >= '0' && *at <= '9'; ++at)
    if ((whole = whole * 10 + static_cast<uint64_t>(*at - '0')) > kLargestWhole) return false;
  bool any = at != text;
  if (*at == '.')
    for (++at; *at >= '0' && *at <= '9'; ++at, digit_value /= 10, any = true)
      fraction += digit_value * static_cast<uint64_t>(*at - '0');
  billionths = whole * kOne + fraction;
  return any && *at == '\0';
}

}  // namespace

void keep_environment(const char* const* strings) { first_environment = strings; }

const char* environment_value(const char* variable) {
  const bool is_cleared = environ == nullptr || *environ == nullptr;
  if (!is_cleared || first_environment == nullptr) return getenv(variable);
  const size_t size = strlen(variable);
  for (const char* const* one = first_environment; *one != nullptr; ++one)
    if (strncmp(*one, variable, size) == 0 && (*one)[size] == '=') return *one + size + 1;
  return nullptr;
}

const char* value_of(const char* variable) {
  const char* value = environment_value(variable);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

void refuse(const char* variable, const char* value, const char* accepted) {
  say(LogLevel::kError, Cause::kConfiguration, "%s=%s is not understood (accepted: %s); using the default", variable,
      value, accepted);
}

void read_seconds(const char* variable, uint64_t& nanoseconds) {
  const char* value = value_of(variable);
  if (value == nullptr) return;
  uint64_t parsed;
  if (parse_billionths(value, parsed))
    nanoseconds = parsed;
  else
    refuse(variable, value, "seconds, such as 30 or 0.5");
}

void read_steps(const char* variable, uint64_t& steps) {
  const char* value = value_of(variable);
  if (value == nullptr) return;
  uint64_t parsed;
  if (parse_billionths(value, parsed) && parsed % kOne == 0)
    steps = parsed / kOne;
  else
    refuse(variable, value, "a whole number of steps");
}

void read_megabytes(const char* variable, uint64_t& bytes) {
  const char* value = value_of(variable);
  if (value == nullptr) return;
  uint64_t parsed;
  if (parse_billionths(value, parsed) && parsed % kOne == 0 && parsed / kOne >= 1 && parsed / kOne <= 1u << 24)
    bytes = (parsed / kOne) << 20;
  else
    refuse(variable, value, "a whole number of megabytes, at least 1");
}

void read_microseconds(const char* variable, uint64_t& nanoseconds) {
  const char* value = value_of(variable);
  if (value == nullptr) return;
  uint64_t parsed;
  if (parse_billionths(value, parsed) && parsed % (kOne / 1000) == 0 && parsed / kOne < 1'000'000'000)
    nanoseconds = parsed / (kOne / 1000);
  else
    refuse(variable, value, "microseconds, such as 100");
}

}  // namespace tauprof::capture
