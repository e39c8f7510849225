// Binds functions of NVIDIA's libraries when the program starts, by dlopen and dlsym: each name is a jump to what was
// found. The program is linked against none of these libraries, so nothing can be preloaded in front of them.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

extern "C" {
#define LIBRARY(name)
#define FUNCTION(name) [[gnu::visibility("hidden")]] void* late_##name;
#include LATE_FUNCTIONS
#undef FUNCTION
}

#define FUNCTION(name)                                                                                         \
  asm(".text\n.globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name ":\n  jmp *late_" #name \
      "(%rip)\n");
#include LATE_FUNCTIONS
#undef FUNCTION
#undef LIBRARY

namespace {

void* open_library(const char* name) {
  void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  return library;
}

void* find(void* library, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  return found;
}

// Before the constructors in which compiled kernels register themselves.
[[gnu::constructor(101)]] void bind() {
  void* library = nullptr;
#define LIBRARY(name) library = open_library(name);
#define FUNCTION(name) late_##name = find(library, #name);
#include LATE_FUNCTIONS
}

}  // namespace
