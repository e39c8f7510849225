// dlclose(): what is known of an object must be forgotten when it goes, because another one may come to lie there.
#include <stddef.h>

#include "capture/base/bound_function.h"
#include "capture/base/library_calls.h"
#include "hooks/real_function.h"

extern "C" __attribute__((visibility("default"))) int dlclose(void* handle) {
  using Close = int (*)(void*);
  static Close real;
  Close known = __atomic_load_n(&real, __ATOMIC_ACQUIRE);
  if (known == nullptr) {
    known = reinterpret_cast<Close>(tauprof::capture::bound_function("dlclose"));
    if (known == nullptr) return 0;  // no loader without it
    __atomic_store_n(&real, known, __ATOMIC_RELEASE);
  }
  const tauprof::capture::NoLibraryCalls pause;
  const int result = known(handle);
  tauprof::hooks::forget_unloaded();
  return result;
}
