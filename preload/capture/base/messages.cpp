#include "capture/base/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

namespace tauprof::capture {
namespace {

LogLevel g_level = LogLevel::kWarn;
uint32_t g_reported;  // one bit per cause

bool is_first(Cause cause) {
  if (cause == Cause::kConfiguration) return true;
  const uint32_t bit = 1u << static_cast<unsigned>(cause);
  return !(__atomic_fetch_or(&g_reported, bit, __ATOMIC_RELAXED) & bit);
}

}  // namespace

void set_log_level(LogLevel level) { g_level = level; }

void say(LogLevel level, Cause cause, const char* format, ...) {
  if (level > g_level || !is_first(cause)) return;
  // One write, so that the lines of several ranks on one terminal do not mix.
  char line[1024] = "tauprof: ";
  const size_t prefix = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  const int written = vsnprintf(line + prefix, sizeof line - prefix - 1, format, arguments);
  va_end(arguments);
  if (written < 0) return;
  size_t size = prefix + static_cast<size_t>(written);
  if (size > sizeof line - 2) size = sizeof line - 2;
  line[size] = '\n';
  if (write(STDERR_FILENO, line, size + 1) < 0) return;  // nobody left to tell
}

}  // namespace tauprof::capture
