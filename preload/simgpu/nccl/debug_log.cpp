// NCCL_DEBUG: VERSION, WARN, INFO, TRACE. NCCL_DEBUG_FILE: a path in which %h is the host and %p the pid.
#include "simgpu/nccl/debug_log.h"

#include <strings.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"

namespace simgpu::nccl {
namespace {

enum class Level { Unread, None, Version, Warn, Info };

struct Log {
  std::mutex mutex;
  Level level = Level::Unread;
  bool has_calls = false;
  FILE* file = nullptr;
  std::string host;
  char error[1024] = "";
};

Log& log() {
  static auto& log = *new Log;
  return log;
}

Level asked_level() {
  const char* text = std::getenv("NCCL_DEBUG");
  if (!text) return Level::None;
  if (strcasecmp(text, "VERSION") == 0) return Level::Version;
  if (strcasecmp(text, "WARN") == 0) return Level::Warn;
  const bool is_info =
      strcasecmp(text, "INFO") == 0 || strcasecmp(text, "ABORT") == 0 || strcasecmp(text, "TRACE") == 0;
  return is_info ? Level::Info : Level::None;
}

FILE* asked_file(const std::string& host) {
  const char* pattern = std::getenv("NCCL_DEBUG_FILE");
  if (!pattern || !*pattern) return stdout;
  std::string path;
  for (const char* at = pattern; *at; ++at) {
    const bool is_escape = at[0] == '%' && at[1] != '\0';
    if (!is_escape) {
      path += *at;
      continue;
    }
    ++at;
    path += *at == 'h' ? host : *at == 'p' ? std::to_string(getpid()) : std::string(1, *at);
  }
  FILE* file = std::fopen(path.c_str(), "we");
  return file ? file : stdout;
}

// Needs the mutex.
void read_environment(Log& target) {
  if (target.level != Level::Unread) return;
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  target.host = std::string(name).substr(0, std::string(name).find('.'));
  target.level = asked_level();
  const char* subsystems = std::getenv("NCCL_DEBUG_SUBSYS");
  const std::string wanted = subsystems ? subsystems : "";
  target.has_calls = wanted.find("COLL") != std::string::npos || wanted.find("ALL") != std::string::npos;
  target.file = target.level == Level::None ? stdout : asked_file(target.host);
}

void print(Log& target, const char* label, const char* text) {
  std::fprintf(target.file, "%s:%d:%d [%d] %s %s\n", target.host.c_str(), getpid(), this_thread(), current_device(),
               label, text);
  std::fflush(target.file);
}

}  // namespace

ncclResult_t refuse(ncclResult_t result, const char* format, ...) {
  Log& target = log();
  const std::lock_guard lock(target.mutex);
  read_environment(target);
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(target.error, sizeof(target.error), format, arguments);
  va_end(arguments);
  if (target.level >= Level::Warn) print(target, "NCCL WARN", target.error);
  return result;
}

void log_info(const char* format, ...) {
  Log& target = log();
  const std::lock_guard lock(target.mutex);
  read_environment(target);
  if (target.level < Level::Info) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  print(target, "NCCL INFO", text);
}

bool logs_calls() {
  Log& target = log();
  const std::lock_guard lock(target.mutex);
  read_environment(target);
  return target.level >= Level::Info && target.has_calls;
}

const char* last_error() { return log().error; }

void announce_version() {
  Log& target = log();
  const std::lock_guard lock(target.mutex);
  read_environment(target);
  static bool is_announced = false;
  if (is_announced || target.level < Level::Version) return;
  is_announced = true;
  std::fprintf(target.file, "NCCL version %d.%d.%d%s+cuda%d.%d\n", NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH, NCCL_SUFFIX,
               CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  std::fflush(target.file);
}

void reset_debug_log() {
  Log& target = log();
  const std::lock_guard lock(target.mutex);
  target.level = Level::Unread;
}

}  // namespace simgpu::nccl
