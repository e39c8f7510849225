// Numbers the hooks by their position in the tables, and says which library each belongs to (library_stem). Ring units
// carry the number. Behind the hooks come the queries: functions that hooks themselves call.
#pragma once

#include <stdint.h>

namespace tauprof::hooks {

enum HookNumber : uint16_t {
#define TAUPROF_HOOK(name, declared, ...) kHook_##name,
// kFirstNcclHook and the others are the numbers of the next row in the tables; they take no number themselves.
#define TAUPROF_HOOK_LIBRARY(library) kFirst##library##Hook, kBefore##library##Hook = kFirst##library##Hook - 1,
#define TAUPROF_DRIVER_CALL(name, ...) kHook_##name,
#include "hooks/hook_tables.h"
  kHooks,
  kBeforeQueries = kHooks - 1,
#define TAUPROF_QUERY(name, library) kQuery_##name,
#include "hooks/queries.def"
#undef TAUPROF_QUERY
  kFunctions,
};

// The start of the file name of the library that has the hook's real function: "libnccl.so".
const char* library_stem(HookNumber hook);

}  // namespace tauprof::hooks
