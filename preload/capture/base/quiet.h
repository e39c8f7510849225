// Whether the recorder makes system calls on the program's threads beside those of the program.
//
// A program may forbid its threads system calls, on pain of death (seccomp). It installs the filter by a call that is
// hooked (hooks/filter_hooks.cpp), and from then on nothing but the program's own calls reach the kernel from its
// threads: what needs others is recorded with less detail, and who has to wait spins.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

inline uint32_t deadly_filters;  // how many there are, or are about to be installed
inline __thread bool is_recorders_thread __attribute__((tls_model("initial-exec")));

inline bool is_quiet() {
  return __atomic_load_n(&deadly_filters, __ATOMIC_RELAXED) != 0 && !is_recorders_thread;
}

inline void spin_once() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace tauprof::capture
