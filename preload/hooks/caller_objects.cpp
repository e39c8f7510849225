#include "hooks/caller_objects.h"

#include <dlfcn.h>

#include "capture/base/bound_function.h"
#include "capture/base/spin_lock.h"

namespace tauprof::hooks {
namespace {

CallerObject g_objects[kMostCallerObjects];
unsigned g_count;
uint32_t g_lock;

const CallerObject* find_known(uintptr_t address) {
  const unsigned count = __atomic_load_n(&g_count, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count; ++i)
    if (g_objects[i].range.begin <= address && address < g_objects[i].range.end) return &g_objects[i];
  return nullptr;
}

}  // namespace

const CallerObject* caller_object(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  if (const CallerObject* known = find_known(wanted)) return known;
  const link_map* const map = capture::object_around(address);
  capture::MappedRange range;
  if (map == nullptr || !capture::find_loaded_object(
                            [&](const dl_phdr_info& object) { return capture::maps_address(object, wanted, range); }))
    return nullptr;
  // The handle is never closed: an object that calls CUDA functions stays loaded.
  if (map->l_name != nullptr && *map->l_name != '\0') dlopen(map->l_name, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
  const capture::SpinLock lock(g_lock);
  if (const CallerObject* known = find_known(wanted)) return known;
  if (g_count == kMostCallerObjects) return nullptr;
  g_objects[g_count] = {range, map};
  __atomic_store_n(&g_count, g_count + 1, __ATOMIC_RELEASE);
  return &g_objects[g_count - 1];
}

unsigned caller_index(const CallerObject* object) { return static_cast<unsigned>(object - g_objects); }

}  // namespace tauprof::hooks
