// Calls of a CUDA runtime without its headers and without linking it, as cuda_calls.py makes them: through the global
// scope, so that a preloaded recorder comes first.
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define STOP(...) (fprintf(stderr, __VA_ARGS__), exit(1))

static inline void load_runtime(const char* name) {
  if (dlopen(name, RTLD_NOW | RTLD_GLOBAL) == NULL) STOP("%s\n", dlerror());
}

static inline void* runtime_function(const char* name) {
  void* const function = dlsym(RTLD_DEFAULT, name);
  if (function == NULL) STOP("%s\n", dlerror());
  return function;
}
