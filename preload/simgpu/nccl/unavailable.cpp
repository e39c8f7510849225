// The names that the real library exports and this one does not serve: they say so and fail. A caller's arguments are
// left where they are. nccl.h is not included: it would declare the functions with parameters, or not at all.
#include <atomic>
#include <cstdio>

#include "simgpu/engine/visibility.h"

namespace {

constexpr int kInvalidUsage = 5;  // ncclInvalidUsage: what NCCL answers where a feature is missing

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
