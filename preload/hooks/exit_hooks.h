// See exit_hooks.cpp.
#pragma once

namespace tauprof::hooks {

// Finds the functions behind our hooks: of another preloaded library, or libc's. A process may end in a signal handler,
// where the loader must not be asked, so the library's constructor calls this.
void find_real_exits();

}  // namespace tauprof::hooks
