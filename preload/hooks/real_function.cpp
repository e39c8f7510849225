#include "hooks/real_function.h"

#include <dlfcn.h>

#include "capture/base/bound_function.h"
#include "capture/base/loaded_library.h"
#include "capture/base/messages.h"
#include "capture/base/spin_lock.h"
#include "capture/rings/hook_info.h"
#include "hooks/caller_objects.h"

namespace tauprof::hooks {

HookTargets hook_targets[kHooks];
QueryTargets query_targets[kFunctions - kHooks];

namespace {

uint8_t g_of_object[kFunctions][kMostCallerObjects];  // number of the object's target + 1; 0: not known yet
uint32_t g_lock;

constexpr struct {
  const char* name;
  const char* library;
} kQueries[] = {
#define TAUPROF_QUERY(name, library) {#name, library},
#include "hooks/queries.def"
#undef TAUPROF_QUERY
};

bool is_query(HookNumber function) { return function >= kHooks; }

void* search(HookNumber function, const CallerObject* caller) {
  const link_map* const map = caller != nullptr ? caller->map : nullptr;
  if (!is_query(function)) {
    const char* const name = capture::function_name(function);
    void* const found = capture::bound_function(map, name, nullptr);
    return found != nullptr ? found : capture::function_of_first_library(library_stem(function), name);
  }
  const auto& query = kQueries[function - kHooks];
  void* const found = capture::bound_function(map, query.name, query.library);
  return found != nullptr ? found : capture::function_of_first_library(query.library, query.name);
}

// Keeps the function's library loaded, because hooks call the address from now on.
void pin(const void* function) {
  Dl_info info;
  if (dladdr(function, &info) != 0 && info.dli_fname != nullptr)
    dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
}

// Returns kMostTargets if there are more functions of one name than any process should have.
unsigned target_number(void** targets, void* found) {
  for (unsigned i = 0; i < kMostTargets; ++i) {
    if (targets[i] == found) return i;
    if (targets[i] != nullptr) continue;
    __atomic_store_n(&targets[i], found, __ATOMIC_RELEASE);
    return i;
  }
  return kMostTargets;
}

// Where the answers for one function and one site are kept.
struct Memory {
  uint64_t& site_entry;
  void** targets;
  uint8_t* of_object;  // null: the site is in no object

  void remember_site(uintptr_t site, unsigned target) {
    __atomic_store_n(&site_entry, uint64_t{site} << 2 | target, __ATOMIC_RELEASE);
  }
};

template <class Targets>
Memory memory_in(Targets& known, uintptr_t site, uint8_t* of_object) {
  return {known.entry_of(site), known.targets, of_object};
}

Memory memory_of(HookNumber function, uintptr_t site, const CallerObject* caller) {
  uint8_t* const of_object = caller != nullptr ? &g_of_object[function][caller_index(caller)] : nullptr;
  return is_query(function) ? memory_in(query_targets[function - kHooks], site, of_object)
                            : memory_in(hook_targets[function], site, of_object);
}

}  // namespace

void* search_real_function(HookNumber function, const void* site, void* missing) {
  const auto address = reinterpret_cast<uintptr_t>(site);
  const CallerObject* const caller = caller_object(site);
  Memory memory = memory_of(function, address, caller);
  if (memory.of_object != nullptr)
    if (const uint8_t target = __atomic_load_n(memory.of_object, __ATOMIC_ACQUIRE); target != 0) {
      memory.remember_site(address, target - 1);
      return memory.targets[target - 1];
    }
  // Without a lock of ours, because the search takes the loader's.
  void* found = search(function, caller);
  if (found != nullptr) {
    pin(found);
  } else if (is_query(function)) {
    found = missing;
  } else {
    capture::say(capture::LogLevel::kError, capture::Cause::kHooks,
                 "%s was called, but no library in this process has it", capture::function_name(function));
    return missing;
  }
  const capture::SpinLock lock(g_lock);
  const unsigned target = target_number(memory.targets, found);
  if (target == kMostTargets) return found;
  if (memory.of_object != nullptr)
    __atomic_store_n(memory.of_object, static_cast<uint8_t>(target + 1), __ATOMIC_RELEASE);
  memory.remember_site(address, target);
  return found;
}

void prefer_libraries_of(const void* site) {
  if (const CallerObject* const caller = caller_object(site)) capture::prefer_libraries_of(caller->map);
}

}  // namespace tauprof::hooks
