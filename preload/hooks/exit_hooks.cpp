// The ends of a process that run no exit handlers. Workers of Python's multiprocessing end so: without these hooks,
// what such a process did in its last 100 ms would be lost.
//
// Signal handlers call these functions, too: what comes first takes no lock, and waits with a limit.
#include "hooks/libc_hooks.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "capture/loader/loaded_definition.h"
#include "capture/session/session.h"

namespace {

using Exit = void (*)(int);

Exit g_real_exit, g_real_c_exit;

[[noreturn]] void end_process(const Exit& real, int status) {
  tauprof::capture::end_session_at_once();
  if (real == nullptr) tauprof::hooks::find_real_exits();  // before this library's constructor
  if (real != nullptr) real(status);
  for (;;) syscall(SYS_exit_group, status);
}

}  // namespace

namespace tauprof::hooks {

void find_real_exits() {
  g_real_exit = reinterpret_cast<Exit>(capture::next_definition("_exit"));
  g_real_c_exit = reinterpret_cast<Exit>(capture::next_definition("_Exit"));
}

}  // namespace tauprof::hooks

extern "C" {
__attribute__((visibility("default"), noreturn)) void _exit(int status) { end_process(g_real_exit, status); }
__attribute__((visibility("default"), noreturn)) void _Exit(int status) { end_process(g_real_c_exit, status); }
}
