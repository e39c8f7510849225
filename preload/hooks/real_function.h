// Finds the function that a caller would have reached without us.
//
// Two callers of one name may mean different functions: a process may have two major versions of a library, and neither
// may be in the global scope. So the answer depends on the caller. Each hook has a small direct-mapped cache keyed by
// return address. On a miss, the answer is looked up by the object (library or program) that contains the return
// address. For a new object, the function is searched
//   1. in the global scope after us, with the version that the caller's reference names,
//   2. in the caller's own scope, likewise,
//   3. without a version, in the global scope and in the caller's,
//   4. in the libraries that are already loaded, by file name.
// None of these finds our own wrapper. After a tail call, the return address is the caller's caller's, and that object
// decides. It matters only if two versions are loaded.
#pragma once

#include <stdint.h>

#include "hooks/hook_number.h"

namespace tauprof::hooks {

// What was found for one hook. A site is a single word (return address << 2 | number of its target), so readers need no
// lock.
struct HookTargets {
  static constexpr unsigned kSites = 32;
  static constexpr unsigned kTargets = 4;
  uint64_t sites[kSites];
  void* targets[kTargets];
};

extern HookTargets hook_targets[kHooks];

// Returns `missing` if there is no such function.
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
