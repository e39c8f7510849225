#pragma once

namespace tauprof {

// Empties an array and lets go of its memory, which `array = {}` and clear() do not.
template <class Array>
void release(Array& array) {
  Array().swap(array);
}

}  // namespace tauprof
