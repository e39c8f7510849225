// A library that stands between programs and the CUDA runtime. SHIM_KIND says how.
#include <dlfcn.h>

#define PLAIN 1       // answers itself, without symbol versions
#define FORWARDING 2  // passes calls on to what follows
#define VERSIONED 3   // answers itself, as version 13; its version script says so
#define TWO 4         // one answer for version 12, another for 13
#define CHOOSING 5    // chooses its function when it is bound

#define SHOWN __attribute__((visibility("default")))

extern "C" {
#if SHIM_KIND == PLAIN || SHIM_KIND == VERSIONED
SHOWN int cudaEventQuery(void*) { return SHIM_KIND * 100; }
#elif SHIM_KIND == FORWARDING
SHOWN int cudaEventQuery(void* event) {
  static const auto next = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_NEXT, "cudaEventQuery"));
  return next == nullptr ? -1 : 1000 + next(event);
}
#elif SHIM_KIND == TWO
SHOWN int event_query_12(void*) { return 412; }
SHOWN int event_query_13(void*) { return 413; }
__asm__(".symver event_query_12, cudaEventQuery@libcudart.so.12");
__asm__(".symver event_query_13, cudaEventQuery@@libcudart.so.13");
#elif SHIM_KIND == CHOOSING
static int chosen(void*) { return 500; }
__attribute__((used)) static int (*choose())(void*) { return chosen; }
SHOWN int cudaEventQuery(void*) __attribute__((ifunc("choose")));
#endif
}
