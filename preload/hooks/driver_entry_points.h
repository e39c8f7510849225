// Hooks of the driver's functions for programs that ask the runtime for their addresses (cudaGetDriverEntryPoint), as
// PyTorch does for the virtual memory of its expandable segments. The answer is a hook of ours that calls the function
// that the runtime answered with.
//
// Only functions that take device memory have one (TAUPROF_DRIVER_MEMORY in cuda_driver.def): launches come from
// CUPTI's records. And only in the version that we know: what the runtime answers a caller of CUDA 12.0 must be the
// same function. Everything else is answered as it was.
#pragma once

#include <cuda_runtime_api.h>

#include "hooks/cuda_facts.h"
#include "hooks/real_function.h"

namespace tauprof::hooks {

// The hook that calls `function`, or `function` itself if `symbol` has no hook.
void* driver_hook(const char* symbol, void* function);

// Returns the entry point that the caller's runtime has for the version that we know, or `function` where the runtime
// cannot be asked: before CUDA 12.5 no runtime knows of later functions.
inline void* known_version(const char* symbol, void* function, const void* site) {
  constexpr unsigned kKnown = 12000;
  using Lookup = int (*)(const char*, void**, unsigned, unsigned long long, cudaDriverEntryPointQueryResult*);
  const capture::OwnCalls own;
  const auto lookup = query_function<Lookup>(kQuery_cudaGetDriverEntryPointByVersion, site);
  if (lookup == nullptr) return function;
  void* known = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  return lookup(symbol, &known, kKnown, cudaEnableDefault, &status) == cudaSuccess ? known : nullptr;
}

template <int kSymbol, int kAnswer>
struct AnswersWithHook : TrackedFact {
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    void** const answer = argument<kAnswer>(arguments);
    if (result != cudaSuccess || answer == nullptr || *answer == nullptr) return;
    const char* const symbol = argument<kSymbol>(arguments);
    void* const hook = driver_hook(symbol, *answer);
    if (hook != *answer && known_version(symbol, *answer, thread.site) == *answer) *answer = hook;
  }
};

}  // namespace tauprof::hooks
