// A library to preload that asks for variables, makes system calls and opens a library before others have been
// initialised: in its constructor, and in the function that chooses an implementation, which may run before other
// libraries are relocated.
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {

static bool is_value(const char* text) {
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (strncmp(*entry, "HOSTILE_VARIABLE=", 17) == 0) return text == *entry + 17;
  return text == nullptr;
}

// By both ways, and some that are refused.
static bool makes_system_calls() {
  return syscall(SYS_getppid) > 0 && prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) >= 0 && prctl(PR_GET_NAME, 0, 0, 0, 0) == -1 &&
         prctl(PR_SET_SECCOMP, 99, 0, 0, 0) == -1 && syscall(SYS_prctl, PR_GET_NAME, 0, 0, 0, 0) == -1;
}

static int one() { return 1; }
static int two() { return 2; }

__attribute__((visibility("hidden"))) int (*hostile_choose())() {
  const char* volatile value = getenv("HOSTILE_VARIABLE");
  static_cast<void>(value);
  return makes_system_calls() ? one : two;
}

__attribute__((visibility("default"), ifunc("hostile_choose"))) int chosen();

__attribute__((constructor)) static void initialize() {
  const char* const value = getenv("HOSTILE_VARIABLE");
  const char* const secure = secure_getenv("HOSTILE_VARIABLE");
  const bool is_open = dlopen("libm.so.6", RTLD_NOW) != nullptr;
  errno = 0;
  const bool is_refused = makes_system_calls() && errno == EFAULT;
  const bool is_right = is_open && is_refused && chosen() == 1 && is_value(value) && is_value(secure);
  constexpr char kWrong[] = "early: wrong\n";
  if (!is_right) static_cast<void>(write(STDERR_FILENO, kWrong, sizeof kWrong - 1) == 0);
}
}
