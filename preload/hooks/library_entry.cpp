// Runs when the library is loaded, and does next to nothing: the library is loaded into every process that a command
// starts, including shells and compilers, and most of these never use a device.
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "capture/base/messages.h"
#include "capture/base/spin_lock.h"
#include "capture/rings/recording.h"
#include "capture/session/session.h"
#include "hooks/exit_hooks.h"

namespace {

// NVTX finds its tool by this variable, also in child processes and in Python.
void offer_nvtx_injection() {
  Dl_info info;
  if (getenv("NVTX_INJECTION64_PATH") != nullptr ||
      dladdr(reinterpret_cast<const void*>(&tauprof::capture::prepare_session), &info) == 0)
    return;
  char* path = realpath(info.dli_fname, nullptr);
  if (path != nullptr) setenv("NVTX_INJECTION64_PATH", path, 0);
  free(path);
}

__attribute__((constructor)) void library_loaded() {
  tauprof::hooks::find_real_exits();
  tauprof::capture::note_stderr();
  pthread_atfork(nullptr, nullptr, tauprof::capture::SpinLock::forget_lost_holders);
  if (tauprof::capture::prepare_session()) offer_nvtx_injection();
}

// Runs after all exit handlers, so their calls are recorded, too.
__attribute__((destructor)) void program_ended() { tauprof::capture::end_session(); }

}  // namespace

// The driver calls this entry only if CUDA_INJECTION64_PATH names the library: then the user wants device times. A
// library that is loaded for NVTX alone, without a preload, does nothing, because no hook is ever called.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (tauprof::capture::recording() & tauprof::capture::kNotStarted) {
    tauprof::capture::start_session(__builtin_return_address(0));
    tauprof::capture::after_first_call();
  }
  return 1;
}
