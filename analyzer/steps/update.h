// An update of the model among the launches of a process.
#pragma once

#include <cstddef>

namespace tauprof {

// Launches [first, end) of the sequence, with whatever lies between them.
struct Update {
  size_t first = 0;
  size_t end = 0;
};

}  // namespace tauprof
