// Preloaded: a disk that does not answer. Writing to a log, and opening a file in a folder called "hanging", takes as
// many seconds as SLOW_DISK_S says; the first SLOW_DISK_AFTER writes take no time.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

namespace {

void wait_for_disk() {
  const char* seconds = getenv("SLOW_DISK_S");
  if (seconds != nullptr) usleep(static_cast<useconds_t>(atof(seconds) * 1e6));
}

bool is_log(int file) {
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/thread-self/fd/%d", file);  // a thread may have a table of its own
  const ssize_t size = readlink(name, path, sizeof path - 1);
  if (size < 0) return false;
  path[size] = '\0';
  return strstr(path, ".tauprof") != nullptr;
}

void write_slowly(int file) {
  if (!is_log(file)) return;
  static std::atomic<int> writes;
  const char* first = getenv("SLOW_DISK_AFTER");
  if (++writes > (first != nullptr ? atoi(first) : 0)) wait_for_disk();
}

}  // namespace

extern "C" ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  write_slowly(file);
  static const auto real = reinterpret_cast<decltype(&pwrite)>(dlsym(RTLD_NEXT, "pwrite"));
  return real(file, bytes, size, offset);
}

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  write_slowly(file);
  static const auto real = reinterpret_cast<decltype(&write)>(dlsym(RTLD_NEXT, "write"));
  return real(file, bytes, size);
}

extern "C" int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = va_arg(arguments, int);
  va_end(arguments);
  if (strstr(path, "/hanging/") != nullptr) wait_for_disk();
  static const auto real = reinterpret_cast<decltype(&open)>(dlsym(RTLD_NEXT, "open"));
  return real(path, flags, mode);
}
