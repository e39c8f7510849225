// Functions that choose an implementation may call hooks while the loader has not yet relocated this library, which it
// does after the libraries that the program needs. Nothing outside can be called then.
#pragma once

namespace tauprof::hooks {

inline bool is_relocated() {
  static const char here = 0;
  static const void* const volatile address = &here;
  return address == &here;
}

}  // namespace tauprof::hooks
