// Finds the function that a caller would have reached without us.
//
// Two callers of one name may mean different functions: a process may have two major versions of a library, and neither
// may be in the global scope. So the answer depends on the caller. Each function has a small direct-mapped cache keyed
// by return address. On a miss, the answer is looked up by the object (library or program) that contains the return
// address. For a new object, the function is what the dynamic loader would have bound (bound_function.h), or else that
// of the library that is already loaded, by file name. Neither finds our own wrapper. After a tail call, the return
// address is the caller's caller's, and that object decides. It matters only if two versions are loaded.
//
// With the first call of an object, all functions that it refers to are looked up: the search makes system calls, which
// the program may forbid its threads later. The search waits neither for constructors nor for other threads, and keeps
// nothing loaded.
//
// Hooks call queries (queries.def) by the same rule, because only the library that made a handle understands it.
#pragma once

#include <stdint.h>

#include "hooks/caller_objects.h"
#include "hooks/hook_number.h"

namespace tauprof::hooks {

// The targets found for one function. A site is a single word (return address << 2 | number of its target), so readers
// need no lock.
template <unsigned kSites>
struct KnownTargets {
  uint64_t sites[kSites];
  void* targets[kMostTargets];

  uint64_t& entry_of(uintptr_t site) { return sites[site % kSites]; }
  // False: the site is not known.
  bool find(const void* site, void*& target) {
    const uint64_t address = reinterpret_cast<uintptr_t>(site);
    const uint64_t number = __atomic_load_n(&entry_of(address), __ATOMIC_ACQUIRE) ^ address << 2;
    if (number >= kMostTargets) return false;
    target = targets[number];
    return true;
  }
};

using HookTargets = KnownTargets<32>;
using QueryTargets = KnownTargets<256>;  // a query is called from the sites of many hooks
extern HookTargets hook_targets[kHooks] [[gnu::visibility("hidden")]];
extern QueryTargets query_targets[kFunctions - kHooks] [[gnu::visibility("hidden")]];

// Returns `missing` if there is no such function.
void* search_real_function(HookNumber function, const void* site, void* missing);

template <class Targets>
inline void* real_function(Targets& known, HookNumber function, const void* site, void* missing) {
  void* target;
  return known.find(site, target) ? target : search_real_function(function, site, missing);
}

inline void* real_function(HookNumber hook, const void* site, void* missing) {
  return real_function(hook_targets[hook], hook, site, missing);
}

// The query that belongs to the caller of a hook; null: its library has none.
template <class Function>
inline Function query_function(HookNumber query, const void* site) {
  static char no_function;
  void* const found = real_function(query_targets[query - kHooks], query, site, &no_function);
  return found != &no_function ? reinterpret_cast<Function>(found) : nullptr;
}

// The caller of the first call that uses a device decides which libraries the recorder itself calls.
void prefer_libraries_of(const void* site);

// To be called when objects may have been unloaded: forgets what lay in them.
void forget_unloaded();

}  // namespace tauprof::hooks
