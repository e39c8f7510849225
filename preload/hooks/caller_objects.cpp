#include "hooks/caller_objects.h"

namespace tauprof::hooks {
namespace {

struct CallerObject {
  capture::MappedRange range;  // empty: the place is free
  const link_map* map;
};

CallerObject g_objects[kMostCallerObjects];
unsigned g_count;                                     // of places that were ever taken
uint8_t g_targets[kFunctions][kMostCallerObjects];    // target + 1; 0: not known yet
uint32_t g_version;                                   // odd while objects change

// Readers take no lock: what they read while the version was odd or has moved counts for nothing. A forked child may
// find the version odd; the next change makes it even again.
class Change {
 public:
  Change() : changing_(__atomic_load_n(&g_version, __ATOMIC_RELAXED) | 1) {
    __atomic_store_n(&g_version, changing_, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
  ~Change() { __atomic_store_n(&g_version, changing_ + 1, __ATOMIC_RELEASE); }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  const uint32_t changing_;
};

unsigned find(uintptr_t address) {
  const unsigned count = __atomic_load_n(&g_count, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t begin = __atomic_load_n(&g_objects[i].range.begin, __ATOMIC_RELAXED);
    const uint64_t end = __atomic_load_n(&g_objects[i].range.end, __ATOMIC_RELAXED);
    if (begin <= address && address < end) return i;
  }
  return kNoCaller;
}

unsigned target_of(HookNumber function, unsigned index) {
  const uint8_t known = __atomic_load_n(&g_targets[function][index], __ATOMIC_RELAXED);
  return known != 0 ? known - 1u : kMostTargets;
}

void set(CallerObject& place, const CallerObject& object) {
  const Change change;
  __atomic_store_n(&place.range.begin, object.range.begin, __ATOMIC_RELAXED);
  __atomic_store_n(&place.range.end, object.range.end, __ATOMIC_RELAXED);
  place.map = object.map;
}

unsigned free_place() {
  for (unsigned i = 0; i < g_count; ++i)
    if (g_objects[i].map == nullptr) return i;
  if (g_count == kMostCallerObjects) return kNoCaller;
  __atomic_store_n(&g_count, g_count + 1, __ATOMIC_RELAXED);
  return g_count - 1;
}

}  // namespace

bool is_same_caller(uintptr_t one, uintptr_t other) { return find(one) == find(other); }

unsigned known_target(HookNumber function, uintptr_t address) {
  const uint32_t version = __atomic_load_n(&g_version, __ATOMIC_ACQUIRE);
  const unsigned index = find(address);
  const unsigned target = index != kNoCaller ? target_of(function, index) : kMostTargets;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  const bool is_sure = (version & 1) == 0 && __atomic_load_n(&g_version, __ATOMIC_RELAXED) == version;
  return is_sure ? target : kMostTargets;
}

Caller note_caller(const capture::LoaderList& list, uintptr_t address) {
  if (const unsigned known = find(address); known != kNoCaller) return {known, g_objects[known].map, false};
  const capture::LoadedObject object = capture::object_around(list, address);
  if (object.map == nullptr) return {kNoCaller, nullptr, false};
  const unsigned place = free_place();
  if (place != kNoCaller) set(g_objects[place], {object.range, object.map});
  return {place, object.map, place != kNoCaller};
}

unsigned known_target(HookNumber function, const Caller& caller) {
  return caller.index != kNoCaller ? target_of(function, caller.index) : kMostTargets;
}

void note_target(HookNumber function, const Caller& caller, unsigned target) {
  if (caller.index == kNoCaller) return;
  __atomic_store_n(&g_targets[function][caller.index], static_cast<uint8_t>(target + 1), __ATOMIC_RELEASE);
}

void forget_unloaded_callers(const capture::LoaderList& list) {
  for (unsigned i = 0; i < g_count; ++i) {
    if (g_objects[i].map == nullptr || list.has(g_objects[i].map)) continue;
    set(g_objects[i], {});
    for (auto& of_function : g_targets) __atomic_store_n(&of_function[i], 0, __ATOMIC_RELAXED);
  }
}

void forget_target(HookNumber function, unsigned target) {
  for (unsigned i = 0; i < g_count; ++i)
    if (g_targets[function][i] == target + 1) __atomic_store_n(&g_targets[function][i], 0, __ATOMIC_RELAXED);
}

}  // namespace tauprof::hooks
