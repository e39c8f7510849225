// dlclose(): what is known of an object must be forgotten when it goes, because another one may come to lie there.
#include "capture/loader/library_calls.h"
#include "capture/loader/loaded_definition.h"
#include "capture/rings/recording.h"
#include "hooks/libc_hooks.h"
#include "hooks/real_function.h"

namespace {

using Close = int (*)(void*);
Close g_real;

}  // namespace

namespace tauprof::hooks {

void find_real_dlclose() {
  __atomic_store_n(&g_real, reinterpret_cast<Close>(capture::next_definition("dlclose")), __ATOMIC_RELEASE);
}

}  // namespace tauprof::hooks

extern "C" __attribute__((visibility("default"))) int dlclose(void* handle) {
  if (__atomic_load_n(&g_real, __ATOMIC_ACQUIRE) == nullptr) tauprof::hooks::find_real_dlclose();
  if (!tauprof::capture::may_record()) return g_real(handle);  // a forked child, too: it may not ask for any lock
  const tauprof::capture::NoLibraryCalls pause;
  const int result = g_real(handle);
  tauprof::hooks::forget_unloaded();
  return result;
}
