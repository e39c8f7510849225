#include "hooks/real_function.h"

#include <string.h>

#include "capture/base/kept_errno.h"
#include "capture/base/messages.h"
#include "capture/base/spin_lock.h"
#include "capture/loader/bound_function.h"
#include "capture/loader/library_calls.h"
#include "capture/loader/loaded_library.h"
#include "capture/rings/hook_info.h"
#include "capture/rings/ring_pool.h"
#include "hooks/exported_hooks.h"

namespace tauprof::hooks {

HookTargets hook_targets[kHooks];
QueryTargets query_targets[kFunctions - kHooks];

namespace {

using capture::LoaderList;

uint32_t g_lock;     // taken inside of the loader's
uint64_t g_unloads;  // LoaderList::unloads when everything known was true

constexpr struct {
  const char* name;
  const char* library;
} kQueries[] = {
#define TAUPROF_QUERY(name, library) {#name, library},
#include "hooks/queries.def"
#undef TAUPROF_QUERY
};

bool is_query(HookNumber function) { return function >= kHooks; }

void** targets_of(HookNumber function) {
  return is_query(function) ? query_targets[function - kHooks].targets : hook_targets[function].targets;
}

void remember_site(HookNumber function, uintptr_t site, unsigned target) {
  uint64_t& entry = is_query(function) ? query_targets[function - kHooks].entry_of(site)
                                       : hook_targets[function].entry_of(site);
  __atomic_store_n(&entry, uint64_t{site} << 2 | target, __ATOMIC_RELEASE);
}

void* search(const LoaderList& list, HookNumber function, const link_map* caller) {
  if (!is_query(function)) {
    const char* const name = capture::function_name(function);
    void* const found = capture::bound_function(list, caller, name, nullptr);
    return found != nullptr ? found : capture::function_of_first_library(list, library_stem(function), name);
  }
  const auto& query = kQueries[function - kHooks];
  void* const found = capture::bound_function(list, caller, query.name, query.library);
  return found != nullptr ? found : capture::function_of_first_library(list, query.library, query.name);
}

// Returns kMostTargets if there are more functions of one name than any process should have.
unsigned target_number(void** targets, void* found) {
  unsigned first_free = kMostTargets;
  for (unsigned i = 0; i < kMostTargets; ++i) {
    if (targets[i] == found) return i;
    if (targets[i] == nullptr && first_free == kMostTargets) first_free = i;
  }
  if (first_free != kMostTargets) __atomic_store_n(&targets[first_free], found, __ATOMIC_RELEASE);
  return first_free;
}

unsigned note_found(HookNumber function, const Caller& caller, void* found) {
  const unsigned target = target_number(targets_of(function), found);
  if (target != kMostTargets) note_target(function, caller, target);
  return target;
}

// The object's own references to hooks, all at once. What it does not have now it may have later.
void learn_references(const LoaderList& list, const Caller& caller) {
  capture::ObjectSymbols(caller.map).each_undefined([&](const char* name) {
    const HookNumber hook = exported_hook(name);
    if (hook == kHooks || known_target(hook, caller) != kMostTargets) return;
    if (void* const found = capture::bound_function(list, caller.map, name, nullptr)) note_found(hook, caller, found);
  });
}

// Forgets what is not in the loader's list any more. A thread that is in a call from an object that is being unloaded,
// or of one, is lost without us, too.
void forget_unloaded(const LoaderList& list) {
  if (list.unloads == g_unloads) return;
  g_unloads = list.unloads;
  __atomic_add_fetch(&capture::library_generation, 1, __ATOMIC_ACQ_REL);
  forget_unloaded_callers(list);
  for (unsigned function = 0; function < kFunctions; ++function) {
    const auto number = static_cast<HookNumber>(function);
    void** const targets = targets_of(number);
    for (unsigned i = 0; i < kMostTargets; ++i) {
      const auto address = reinterpret_cast<uintptr_t>(targets[i]);
      if (address == 0 || capture::object_around(list, address).map != nullptr) continue;
      forget_target(number, i);
      __atomic_store_n(&targets[i], nullptr, __ATOMIC_RELEASE);
    }
  }
  const auto forget_sites = [](auto& known) {
    for (uint64_t& site : known.sites) __atomic_store_n(&site, 0, __ATOMIC_RELAXED);
  };
  for (HookTargets& known : hook_targets) forget_sites(known);
  for (QueryTargets& known : query_targets) forget_sites(known);
}

// The function, or null.
void* find(const LoaderList& list, HookNumber function, uintptr_t site) {
  const capture::SpinLock lock(g_lock);
  forget_unloaded(list);
  const Caller caller = note_caller(list, site);
  if (caller.is_new) learn_references(list, caller);
  unsigned target = known_target(function, caller);
  void* found = nullptr;
  if (target == kMostTargets) {
    found = search(list, function, caller.map);
    if (found != nullptr) target = note_found(function, caller, found);
  }
  if (target == kMostTargets) return found;
  remember_site(function, site, target);
  return targets_of(function)[target];
}

}  // namespace

void* search_real_function(HookNumber function, const void* site, void* missing) {
  const auto address = reinterpret_cast<uintptr_t>(site);
  if (const unsigned target = known_target(function, address); target != kMostTargets) {
    remember_site(function, address, target);
    return targets_of(function)[target];
  }
  const capture::KeptErrno kept;
  void* found = nullptr;
  capture::with_loader_list([&](const LoaderList& list) { found = find(list, function, address); });
  if (found != nullptr) return found;
  if (!is_query(function))
    capture::say(capture::LogLevel::kError, capture::Cause::kHooks,
                 "%s was called, but no library in this process has it", capture::function_name(function));
  return missing;
}

// A call from where the other one came from is not made by it: no library that has a hooked function calls back into
// the program for more (CUDA forbids that to its callbacks).
bool is_nested(capture::ThreadState& thread, const void* site, uintptr_t frame_end) {
  if (thread.inside == capture::kOwnWork) return true;
  const auto address = reinterpret_cast<uintptr_t>(site), outer = reinterpret_cast<uintptr_t>(thread.inside_of);
  if (capture::may_be_within(thread.inside, frame_end) && !is_same_caller(address, outer)) return true;
  thread.inside = 0;
  capture::ring_pool.count_left();
  return false;
}

void prefer_libraries_of(const void* site) {
  capture::with_loader_list([&](const LoaderList& list) {
    const link_map* const caller = capture::object_around(list, reinterpret_cast<uintptr_t>(site)).map;
    if (caller != nullptr) capture::prefer_libraries_of(caller);
  });
}

void forget_unloaded() {
  const capture::KeptErrno kept;
  capture::with_loader_list([](const LoaderList& list) {
    const capture::SpinLock lock(g_lock);
    forget_unloaded(list);
  });
}

}  // namespace tauprof::hooks
