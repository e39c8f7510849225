#include "hooks/real_function.h"

#include <dlfcn.h>

#include "capture/base/loaded_library.h"
#include "capture/base/messages.h"
#include "capture/base/spin_lock.h"
#include "capture/rings/hook_info.h"
#include "hooks/caller_objects.h"

namespace tauprof::hooks {

HookTargets hook_targets[kHooks];

namespace {

uint8_t g_of_object[kHooks][kMostCallerObjects];  // number of the object's target + 1; 0: not known yet
uint32_t g_lock;

bool is_ours(const void* address) {
  static const void* our_base;
  Dl_info info;
  if (our_base == nullptr && dladdr(&g_lock, &info) != 0) our_base = info.dli_fbase;
  return dladdr(address, &info) != 0 && info.dli_fbase == our_base;
}

void* unless_ours(void* found) { return found == nullptr || is_ours(found) ? nullptr : found; }

void* search(HookNumber hook, const CallerObject* caller) {
  const char* name = capture::function_name(hook);
  void* handle = caller != nullptr ? caller->handle : nullptr;
  const char* version = caller != nullptr ? referenced_version(caller->map, name) : nullptr;
  void* found = nullptr;
  if (version != nullptr) {
    found = unless_ours(dlvsym(RTLD_NEXT, name, version));
    if (found == nullptr && handle != nullptr) found = unless_ours(dlvsym(handle, name, version));
  }
  if (found == nullptr) found = unless_ours(dlsym(RTLD_NEXT, name));
  if (found == nullptr && handle != nullptr) found = unless_ours(dlsym(handle, name));
  if (found == nullptr) found = unless_ours(capture::loaded_function(library_stem(hook), name));
  return found;
}

// Keeps the function's library loaded, because hooks call the address from now on.
void pin(const void* function) {
  Dl_info info;
  if (dladdr(function, &info) != 0 && info.dli_fname != nullptr)
    dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
}

// Returns kTargets if there are more functions of one name than any process should have.
unsigned target_number(HookTargets& known, void* function) {
  for (unsigned i = 0; i < HookTargets::kTargets; ++i) {
    if (known.targets[i] == function) return i;
    if (known.targets[i] != nullptr) continue;
    __atomic_store_n(&known.targets[i], function, __ATOMIC_RELEASE);
    return i;
  }
  return HookTargets::kTargets;
}

void remember_site(HookTargets& known, const void* site, unsigned target) {
  const auto address = reinterpret_cast<uintptr_t>(site);
  __atomic_store_n(&known.sites[(address ^ address >> 5) % HookTargets::kSites], uint64_t{address} << 2 | target,
                   __ATOMIC_RELEASE);
}

}  // namespace

void* search_real_function(HookNumber hook, const void* site, void* missing) {
  HookTargets& known = hook_targets[hook];
  const CallerObject* caller = caller_object(site);
  uint8_t* of_object = caller != nullptr ? &g_of_object[hook][caller_index(caller)] : nullptr;
  if (of_object != nullptr)
    if (const uint8_t target = __atomic_load_n(of_object, __ATOMIC_ACQUIRE); target != 0) {
      remember_site(known, site, target - 1);
      return known.targets[target - 1];
    }
  // Without a lock of ours, because the search takes the loader's.
  void* found = search(hook, caller);
  if (found == nullptr) {
    capture::say(capture::LogLevel::kError, capture::Cause::kHooks,
                 "%s was called, but no library in this process has it", capture::function_name(hook));
    return missing;
  }
  pin(found);
  const capture::SpinLock lock(g_lock);
  const unsigned target = target_number(known, found);
  if (target == HookTargets::kTargets) return found;
  if (of_object != nullptr) __atomic_store_n(of_object, static_cast<uint8_t>(target + 1), __ATOMIC_RELEASE);
  remember_site(known, site, target);
  return found;
}

}  // namespace tauprof::hooks
