// The functions that the real library exports and that are not simulated: they say so and fail. They leave the caller's
// arguments alone. nccl.h is not included: it would declare the functions with parameters, or not at all.
#include <atomic>
#include <cstdio>

#include "simgpu/engine/visibility.h"

namespace {

constexpr int kInvalidUsage = 5;  // ncclInvalidUsage, as NCCL returns for a missing feature

int refuse(const char* name, std::atomic<bool>& told) {
  if (!told.exchange(true)) std::fprintf(stderr, "simulated: %s is not available\n", name);
  return kInvalidUsage;
}

}  // namespace

#define SIMGPU_UNAVAILABLE(name)          \
  extern "C" SIMGPU_API int p##name() {   \
    static std::atomic<bool> told{false}; \
    return refuse(#name, told);           \
  }                                       \
  extern "C" __attribute__((weak, visibility("default"), alias("p" #name))) decltype(p##name) name;
#include "simgpu/nccl/unavailable.def"
