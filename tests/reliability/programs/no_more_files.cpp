// Preloaded: the machine's table of open files is full for 0.3 s, NO_FILES_AFTER_S seconds after the process started:
// open(), openat() and opendir() fail with ENFILE.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

namespace {

double now_s() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const double kStarted = now_s();

bool is_full() {
  static const char* const after = getenv("NO_FILES_AFTER_S");
  const double passed = now_s() - kStarted - (after != nullptr ? atof(after) : 0);
  if (passed < 0 || passed > 0.3) return false;
  errno = ENFILE;
  return true;
}

int open_at(int folder, const char* path, int flags, int mode) {
  return is_full() ? -1 : static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

}  // namespace

extern "C" int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = va_arg(arguments, int);
  va_end(arguments);
  return open_at(AT_FDCWD, path, flags, mode);
}

extern "C" int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = va_arg(arguments, int);
  va_end(arguments);
  return open_at(folder, path, flags, mode);
}

extern "C" DIR* opendir(const char* path) {
  static const auto real = reinterpret_cast<DIR* (*)(const char*)>(dlsym(RTLD_NEXT, "opendir"));
  return is_full() ? nullptr : real(path);
}
