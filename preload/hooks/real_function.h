// The function that a caller would have reached without us.
//
// Not every caller of one name means the same function: two major versions of a library may be in one
// process, some of them in nobody's global scope. So the answer depends on who calls, and is kept for
// the call site: a small direct-mapped cache a hook, keyed by return address. What misses it asks for
// the object (library or program) around the return address, and only a new object is searched for:
//   1. in the global scope behind us, for the version that the caller's reference names,
//   2. in the caller's own scope, likewise,
//   3. without versions, in the global scope and in the caller's,
//   4. in the libraries that are loaded already, by file name.
// None of these can be our own wrapper. A caller that jumps to the function as its last act leaves its
// own caller's return address: then that one decides, which matters only where two versions are loaded.
#pragma once

#include <stdint.h>

#include "hooks/hook_number.h"

namespace tauprof::hooks {

// What was found for one hook. A site is (return address << 2 | number of its target): so one word
// changes at a time, and readers need no lock.
struct HookTargets {
  static constexpr unsigned kSites = 32;
  static constexpr unsigned kTargets = 4;
  uint64_t sites[kSites];
  void* targets[kTargets];
};

extern HookTargets hook_targets[kHooks];

// `missing` where there is no such function.
void* search_real_function(HookNumber hook, const void* site, void* missing);

inline void* real_function(HookNumber hook, const void* site, void* missing) {
  const auto address = reinterpret_cast<uintptr_t>(site);
  const HookTargets& known = hook_targets[hook];
  const uint64_t entry =
      __atomic_load_n(&known.sites[(address ^ address >> 5) % HookTargets::kSites], __ATOMIC_ACQUIRE);
  if (entry >> 2 == address) [[likely]]
    return known.targets[entry & 3];
  return search_real_function(hook, site, missing);
}

}  // namespace tauprof::hooks
