#include "hooks/driver_entry_points.h"

#include <cuda.h>
#include <string.h>

#include "hooks/wrapper.h"

namespace tauprof::hooks {
namespace {

void* g_given[kHooks - kFirstDriverHook];  // by hook: the function that it calls

template <HookNumber kHook>
struct EntryPoint {
  static constexpr HookNumber kNumber = kHook;
  static constexpr int kMissing = CUDA_ERROR_NOT_FOUND;
  static void* real(const void*, void*) {
    return __atomic_load_n(&g_given[kHook - kFirstDriverHook], __ATOMIC_ACQUIRE);
  }
};

#define TAUPROF_DRIVER_MEMORY(name, ...)                       \
  struct EntryPoint_##name : EntryPoint<kHook_##name> {        \
    using Function = std::remove_pointer_t<decltype(&::name)>; \
    using Kind = __VA_ARGS__;                                  \
  };
#include "hooks/cuda_driver.def"

const struct {
  const char* symbol;
  HookNumber number;
  void* hook;
} kDriverHooks[] = {
#define TAUPROF_DRIVER_MEMORY(name, ...) \
  {#name, kHook_##name, reinterpret_cast<void*>(&Wrapper<EntryPoint_##name>::call)},
#include "hooks/cuda_driver.def"
};

}  // namespace

// A second function of one name stays as it is: its callers could not be told apart.
void* driver_hook(const char* symbol, void* function) {
  for (const auto& known : kDriverHooks) {
    if (strcmp(known.symbol, symbol) != 0) continue;
    void*& given = g_given[known.number - kFirstDriverHook];
    void* expected = nullptr;
    const bool is_first =
        __atomic_compare_exchange_n(&given, &expected, function, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return is_first || expected == function ? known.hook : function;
  }
  return function;
}

}  // namespace tauprof::hooks
