#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include "hooks/compiler_calls.h"
#include "hooks/cuda_facts.h"
#include "hooks/driver_entry_points.h"
#include "hooks/graph_facts.h"
#include "hooks/versioned_calls.h"
#include "hooks/wrapper.h"

// Programs still call the deprecated functions.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define TAUPROF_HOOK(name, declared, ...)  // cuda_runtime_hooks.cpp
#define TAUPROF_RARE_HOOK(name, declared, ...) \
  TAUPROF_EXPAND_HOOK(name, declared, cudaErrorSharedObjectSymbolNotFound, __VA_ARGS__)
#include "hooks/cuda_runtime.def"
