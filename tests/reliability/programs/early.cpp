// A library to preload that asks for variables and opens a library before others have been initialised: in its
// constructor, and in the function that chooses an implementation, which may run before other libraries are relocated.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern "C" {

static bool is_value(const char* text) {
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (strncmp(*entry, "HOSTILE_VARIABLE=", 17) == 0) return text == *entry + 17;
  return text == nullptr;
}

static int one() { return 1; }

__attribute__((visibility("hidden"))) int (*hostile_choose())() {
  const char* volatile value = getenv("HOSTILE_VARIABLE");
  static_cast<void>(value);
  return one;
}

__attribute__((visibility("default"), ifunc("hostile_choose"))) int chosen();

__attribute__((constructor)) static void initialize() {
  const char* const value = getenv("HOSTILE_VARIABLE");
  const char* const secure = secure_getenv("HOSTILE_VARIABLE");
  const bool is_open = dlopen("libm.so.6", RTLD_NOW) != nullptr;
  const bool is_right = is_open && chosen() == 1 && is_value(value) && is_value(secure);
  constexpr char kWrong[] = "early: wrong\n";
  if (!is_right) static_cast<void>(write(STDERR_FILENO, kWrong, sizeof kWrong - 1) == 0);
}
}
