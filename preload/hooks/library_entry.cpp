// Runs when the library is loaded, and does next to nothing: the library is loaded into every process that a command
// starts, including shells and compilers, and most of these never use a device.
#include <gnu/libc-version.h>
#include <pthread.h>

#include "capture/base/messages.h"
#include "capture/base/spin_lock.h"
#include "capture/loader/loaded_objects.h"
#include "capture/rings/recording.h"
#include "capture/rings/thread_state.h"
#include "capture/rows/log_file.h"
#include "capture/session/session.h"
#include "capture/settings/variables.h"
#include "hooks/callback_calls.h"
#include "hooks/libc_hooks.h"
#include "hooks/offered_library.h"

namespace {

// A preloaded library stands before the C library; one that the program or the driver has opened, behind.
bool is_preloaded() {
  using namespace tauprof::capture;
  const auto address_of = [](auto* function) { return reinterpret_cast<uintptr_t>(function); };
  MappedRange range;
  bool is_ours = false;
  find_loaded_object([&](const dl_phdr_info& object) {
    is_ours = maps_address(object, address_of(&prepare_session), range);
    return is_ours || maps_address(object, address_of(&gnu_get_libc_version), range);  // which nobody replaces
  });
  return is_ours;
}

__attribute__((constructor)) void library_loaded(int, char**, char** environment) {
  tauprof::capture::keep_environment(environment);
  tauprof::hooks::find_real_exits();
  tauprof::hooks::find_real_dlopen();
  tauprof::hooks::find_real_dlclose();
  tauprof::hooks::find_real_system_calls();
  tauprof::hooks::find_real_execs();
  tauprof::hooks::find_real_getenv();
  tauprof::capture::note_stderr();
  tauprof::capture::note_root();
  pthread_atfork(nullptr, nullptr, [] {
    tauprof::capture::SpinLock::forget_lost_holders();
    tauprof::hooks::withdraw_library();  // a child that does not exec is not recorded
  });
  if (tauprof::capture::prepare_session(is_preloaded())) tauprof::hooks::offer_library();
}

// Runs after all exit handlers, so their calls are recorded, too.
__attribute__((destructor)) void program_ended() { tauprof::capture::end_session(); }

}  // namespace

// The driver calls this entry in cuInit if it was told of this library (offered_library.h). A call of our own, or of a
// hook that is starting the session, needs no other door.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using namespace tauprof::capture;
  if (thread_state.inside == 0 && (recording() & kNotStarted)) tauprof::hooks::watch_calls();
  return 1;
}
