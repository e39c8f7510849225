// Asks for a variable by a function of its own, as the CUDA driver may do. Whether this is the driver says its cuInit
// (WITH_CUINIT).
#include <stdlib.h>

#define SHOWN extern "C" __attribute__((visibility("default"), noinline))

static __attribute__((noinline)) const char* variable(const char* name, bool is_secure) {
  const char* volatile value = is_secure ? secure_getenv(name) : getenv(name);
  return value;
}

SHOWN const char* ask(const char* name, int is_secure) { return variable(name, is_secure != 0); }

#ifdef WITH_CUINIT
SHOWN int cuInit(unsigned) { return 0; }
#endif
