// What happens when the library is loaded: next to nothing. It is loaded into every process that a
// command starts, shells and compilers included, and most of them never use a device.
#include <dlfcn.h>
#include <stdlib.h>

#include "capture/recording.h"
#include "capture/session.h"

namespace {

// NVTX looks for its tool in this variable, also in child processes and from Python.
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
  if (tauprof::capture::prepare_session()) offer_nvtx_injection();
}

}  // namespace

// Loaded for NVTX alone, without a preload, the library does nothing: no hook is ever called. The driver
// calls this entry only where CUDA_INJECTION64_PATH names the library: then the user wants device times.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (tauprof::capture::recording() & tauprof::capture::kNotStarted) {
    tauprof::capture::start_session(__builtin_return_address(0));
    tauprof::capture::after_first_call();
  }
  return 1;
}
