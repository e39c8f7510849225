// The libraries and programs that call hooked functions, and which function each call of theirs means.
//
// Nothing here keeps an object loaded. When objects have gone, what was known of them is forgotten: after each
// dlclose() (dlclose_hook.cpp), and when the loader has counted an unload that no hook saw.
#pragma once

#include <stdint.h>

#include "capture/loader/loaded_objects.h"
#include "hooks/hook_number.h"

namespace tauprof::hooks {

// One function's targets: what callers meant, of all callers.
inline constexpr unsigned kMostTargets = 4;

// Whether both addresses are in one object that is known, or both in none. Takes no lock.
bool is_same_caller(uintptr_t one, uintptr_t other);

// The number of the target that the object around `address` means; kMostTargets: not known yet. Takes no lock.
unsigned known_target(HookNumber function, uintptr_t address);

// Call the functions below inside with_loader_list(), holding the lock of real_function.cpp.

inline constexpr unsigned kMostCallerObjects = 256;
inline constexpr unsigned kNoCaller = kMostCallerObjects;

struct Caller {
  unsigned index;       // kNoCaller: there are more than fit, or generated code calls
  const link_map* map;  // null: generated code
  bool is_new;
};
Caller note_caller(const capture::LoaderList& list, uintptr_t address);
unsigned known_target(HookNumber function, const Caller& caller);
void note_target(HookNumber function, const Caller& caller, unsigned target);

// Forgets the callers that are not loaded any more.
void forget_unloaded_callers(const capture::LoaderList& list);
// No caller means this target any more.
void forget_target(HookNumber function, unsigned target);

}  // namespace tauprof::hooks
