// Silences the commands while they are tested.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace tauprof {

// From now on nothing is printed; with sanitizers, only what they and the commands write on stderr.
inline void silence() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (dup2(nowhere, STDOUT_FILENO) < 0) abort();
#ifndef TAUPROF_SANITIZED
  if (dup2(nowhere, STDERR_FILENO) < 0) abort();
#endif
}

}  // namespace tauprof
