// The hooks of libc's functions: dlopen_hook.cpp, dlclose_hook.cpp, exec_hooks.cpp, exit_hooks.cpp, filter_hooks.cpp,
// getenv_hooks.cpp.
#pragma once

namespace tauprof::hooks {

// Find the functions behind these hooks: of another preloaded library, or libc's. A process may end in a signal
// handler, and ask for a variable at any time, so the library's constructor calls them.
void find_real_exits();
void find_real_dlopen();
void find_real_dlclose();
void find_real_system_calls();
void find_real_execs();
void find_real_getenv();

// Whether the calling thread may be in a constructor that dlopen() runs on it: then it has the loader's lock itself.
// True may be wrong.
bool may_be_inside_dlopen();

}  // namespace tauprof::hooks
