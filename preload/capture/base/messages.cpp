#include "capture/base/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "capture/base/signals.h"
#include "log/file_facts.h"

namespace tauprof::capture {
namespace {

LogLevel g_level = LogLevel::kWarn;
uint32_t g_reported;  // one bit per cause

// stderr's file when the library was loaded; inode 0: it was closed.
uint64_t g_stderr_device, g_stderr_inode;

// A program may have closed stderr and opened a file of its own under its number.
bool is_still_stderr() {
  struct stat facts;
  return g_stderr_inode != 0 && log::read_facts(STDERR_FILENO, facts) && facts.st_dev == g_stderr_device &&
         facts.st_ino == g_stderr_inode;
}

// Not by poll(), which fails where the program has lowered its limit of descriptors to none.
bool has_room() {
  constexpr int kPatienceUs = 20'000;
  fd_set ready;
  FD_ZERO(&ready);
  FD_SET(STDERR_FILENO, &ready);
  timeval patience{0, kPatienceUs};
  return select(STDERR_FILENO + 1, nullptr, &ready, nullptr, &patience) > 0;
}

// Neither waits for a reader nor raises a signal: a broken pipe raises SIGPIPE, a limit on file sizes SIGXFSZ.
void write_to_stderr(const char* line, size_t size) {
  const BlockedSignals blocked;
  if (!is_still_stderr() || !has_room()) return;
  sigset_t raised, pending;
  sigemptyset(&raised);
  sigpending(&pending);
  for (const int signal : {SIGPIPE, SIGXFSZ})
    if (!sigismember(&pending, signal)) sigaddset(&raised, signal);
  if (write(STDERR_FILENO, line, size) >= 0) return;
  const timespec now{};
  if (errno == EPIPE || errno == EFBIG) sigtimedwait(&raised, nullptr, &now);
}

bool is_first(Cause cause) {
  if (cause == Cause::kConfiguration) return true;
  const uint32_t bit = 1u << static_cast<unsigned>(cause);
  return !(__atomic_fetch_or(&g_reported, bit, __ATOMIC_RELAXED) & bit);
}

}  // namespace

void note_stderr() {
  struct stat facts;
  if (!log::read_facts(STDERR_FILENO, facts)) return;
  g_stderr_device = facts.st_dev;
  g_stderr_inode = facts.st_ino;
}

void set_log_level(LogLevel level) { g_level = level; }

void say(LogLevel level, Cause cause, const char* format, ...) {
  if (level > g_level || is_quiet() || !is_first(cause)) return;
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
  write_to_stderr(line, size + 1);
}

}  // namespace tauprof::capture
