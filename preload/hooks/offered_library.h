// Offers this library to NVTX, the CUDA driver and NCCL, which load what a variable of the environment names:
// NVTX_INJECTION64_PATH, CUDA_INJECTION64_PATH, NCCL_PROFILER_PLUGIN. The variables themselves are never set: neither
// the program nor its children see them. getenv() answers the two that ask with it (getenv_hooks.cpp), and dlopen()
// NCCL (dlopen_hook.cpp). Where a variable is set, it counts.
#pragma once

namespace tauprof::hooks {

// From now on, for good.
void offer_library();

// The name by which the loader knows this library; null: it is not offered.
const char* offered_library();

// The plugin that NCCL opens where NCCL_PROFILER_PLUGIN is not set.
inline constexpr char kDefaultNcclPlugin[] = "libnccl-profiler.so";

// Nobody is told any more.
void withdraw_library();

}  // namespace tauprof::hooks
