// Numbers the hooks by their position in the tables, and says which library each belongs to (library_stem). Ring units
// carry the number.
#pragma once

#include <stdint.h>

namespace tauprof::hooks {

enum HookNumber : uint16_t {
#define TAUPROF_HOOK(name, declared, ...) kHook_##name,
// kFirstNcclHook and the others are the numbers of the next row in the tables; they take no number themselves.
#define TAUPROF_HOOK_LIBRARY(library) kFirst##library##Hook, kBefore##library##Hook = kFirst##library##Hook - 1,
#include "hooks/hook_tables.h"
  kHooks,
};

// The start of the file name of the library that has the real function: "libnccl.so".
const char* library_stem(HookNumber hook);

}  // namespace tauprof::hooks
