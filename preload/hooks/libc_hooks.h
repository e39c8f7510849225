// The hooks of libc's functions: dlopen_hook.cpp, dlclose_hook.cpp, exit_hooks.cpp, getenv_hooks.cpp.
#pragma once

namespace tauprof::hooks {

// Find the functions behind these hooks: of another preloaded library, or libc's. A process may end in a signal
// handler, and ask for a variable at any time, so the library's constructor calls them.
void find_real_exits();
void find_real_dlopen();
void find_real_dlclose();
void find_real_getenv();

}  // namespace tauprof::hooks
