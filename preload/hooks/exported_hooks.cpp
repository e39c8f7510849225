#include "hooks/exported_hooks.h"

#include <string.h>

#include "capture/rings/hook_info.h"

namespace tauprof::hooks {
namespace {

constexpr unsigned kPlaces = 1024;

constexpr uint32_t place_of(const char* name) {
  uint32_t hash = 2166136261u;  // FNV-1a
  for (; *name != '\0'; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 16777619u;
  return (hash ^ hash >> 16) % kPlaces;
}

// Open addressing; the hook's number + 1; 0: the place is free. The names are in the table of hooks.
struct Places {
  uint16_t at[kPlaces] = {};
  constexpr Places() {
    unsigned count = 0;
#define TAUPROF_HOOK(name, declared, ...) add(#name, kHook_##name), ++count;
#include "hooks/hook_tables.h"
    if (count > kPlaces / 8 * 7) at[kPlaces] = 0;  // no constant expression: more places are needed
  }
  constexpr void add(const char* name, HookNumber hook) {
    uint32_t place = place_of(name);
    while (at[place] != 0) place = (place + 1) % kPlaces;
    at[place] = static_cast<uint16_t>(hook + 1);
  }
};
constexpr Places kPlace;

}  // namespace

HookNumber exported_hook(const char* name) {
  for (uint32_t place = place_of(name); kPlace.at[place] != 0; place = (place + 1) % kPlaces) {
    const auto hook = static_cast<HookNumber>(kPlace.at[place] - 1);
    if (strcmp(capture::function_name(hook), name) == 0) return hook;
  }
  return kHooks;
}

}  // namespace tauprof::hooks
