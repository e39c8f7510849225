// Every hook has a number: its place in the tables, which the ring units carry.
#pragma once

#include <stdint.h>

namespace tauprof::hooks {

enum HookNumber : uint16_t {
#define TAUPROF_HOOK(name, declared, ...) kHook_##name,
#include "hooks/hook_tables.h"
  kHooks,
  kFirstCublasHook = kHook_cublasHgemm,
  kFirstCublasLtHook = kHook_cublasLtMatmul,
  kFirstNcclHook = kHook_ncclCommInitRank,
  kFirstCuptiHook = kHook_cuptiSubscribe,
  kFirstCudnnHook = kHook_cudnnBackendExecute,
};

// The beginning of the file name of the library that has the real function.
const char* library_stem(HookNumber hook);

}  // namespace tauprof::hooks
