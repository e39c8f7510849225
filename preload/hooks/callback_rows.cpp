#include "hooks/callback_rows.h"

#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <string.h>

#include "capture/device/call_watch.h"
#include "hooks/compiler_calls.h"
#include "hooks/cuda_facts.h"
#include "hooks/driver_entry_points.h"
#include "hooks/graph_facts.h"
#include "hooks/hook_kinds.h"
#include "hooks/versioned_calls.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace tauprof::hooks {
namespace {

template <class Function>
struct Parameters;
template <class Function>
using ParametersOf = Parameters<std::remove_pointer_t<Function>>;

// The arguments in a structure that has them as members, in order.
template <class Result, class... Arguments>
struct Parameters<Result(Arguments...)> {
  using List = ArgumentList<Arguments...>;
  static constexpr bool kAreAny = true;
  static constexpr size_t offset(int wanted) {
    constexpr size_t kSizes[] = {sizeof(Arguments)..., 0};
    constexpr size_t kAlignments[] = {alignof(Arguments)..., 1};
    size_t at = 0;
    for (int i = 0; i <= wanted; ++i) {
      at = (at + kAlignments[i] - 1) / kAlignments[i] * kAlignments[i];
      if (i < wanted) at += kSizes[i];
    }
    return at;
  }
  template <int... kNumbers>
  static List list(const void* block, std::integer_sequence<int, kNumbers...>) {
    char* const bytes = static_cast<char*>(const_cast<void*>(block));
    return List{{*reinterpret_cast<Arguments*>(bytes + offset(kNumbers))}...};
  }
  static List of(const void* block) { return list(block, std::make_integer_sequence<int, sizeof...(Arguments)>()); }
};
template <class Result>
struct Parameters<Result()> {
  using List = ArgumentList<>;
  static constexpr bool kAreAny = false;
  static List of(const void*) { return {}; }
};

template <class Parameters, class Kind>
constexpr CallbackTraits traits_of() {
  return {Kind::kRecords, Kind::kIsQuiet ? 0 : Kind::kInterest, Kind::kIsFollowed, Parameters::kAreAny};
}

constexpr CallbackTraits kTraits[] = {
#define TAUPROF_HOOK(name, declared, ...) traits_of<ParametersOf<decltype(&::declared)>, __VA_ARGS__>(),
#include "hooks/cuda_runtime.def"
#undef TAUPROF_HOOK
#define TAUPROF_DRIVER_CALL(name, ...) traits_of<ParametersOf<decltype(&::name)>, __VA_ARGS__>(),
#include "hooks/cuda_driver.def"
};

#define TAUPROF_TEXT_OF(name) #name
constexpr const char* kExportedNames[] = {
#define TAUPROF_DRIVER_CALL(name, ...) TAUPROF_TEXT_OF(name),
#include "hooks/cuda_driver.def"
};

bool is_name(const char* name, unsigned size, const char* wanted) {
  return strlen(wanted) == size && memcmp(name, wanted, size) == 0;
}

// "cuMemcpyDtoHAsync_v2_ptsz"
uint16_t driver_function(const char* name, unsigned size) {
  constexpr unsigned kTwin = 5;
  if (size > kTwin && (is_name(name + size - kTwin, kTwin, "_ptsz") || is_name(name + size - kTwin, kTwin, "_ptds")))
    size -= kTwin;
  for (uint16_t hook = kFirstDriverHook; hook < kHooks; ++hook)
    if (is_name(name, size, kExportedNames[hook - kFirstDriverHook])) return hook;
  return capture::CallWatch::kNoFunction;
}

}  // namespace

// Expands a row to a case of a switch over hook numbers.
#define TAUPROF_CASE(number, declared, ...)                                                      \
  case number: {                                                                                 \
    using Kind = __VA_ARGS__;                                                                    \
    [[maybe_unused]] const auto arguments = ParametersOf<decltype(&::declared)>::of(parameters); \
    TAUPROF_ACTION                                                                               \
  } break;
#define TAUPROF_RUNTIME_CASE(name, declared, ...) TAUPROF_CASE(kHook_##name, declared, __VA_ARGS__)
#define TAUPROF_DRIVER_CASE(name, ...) TAUPROF_CASE(kHook_##name, name, __VA_ARGS__)

uint16_t function_with_callback(bool is_driver, const char* name, unsigned size) {
  if (is_driver) return driver_function(name, size);
  for (uint16_t hook = 0; hook < kFirstCublasHook; ++hook)
    if (is_name(name, size, capture::function_name(hook)))
      return kTraits[hook].records != 0 ? hook : capture::CallWatch::kNoFunction;
  return capture::CallWatch::kNoFunction;
}

CallbackTraits callback_traits(uint16_t hook) {
  return kTraits[hook < kFirstCublasHook ? hook : hook - kFirstDriverHook + kFirstCublasHook];
}

void before_callback_call(uint16_t hook, ThreadState& thread, const void* parameters) {
  switch (hook) {
#define TAUPROF_ACTION Kind::before(thread, arguments);
#define TAUPROF_HOOK TAUPROF_RUNTIME_CASE
#include "hooks/cuda_runtime.def"
#define TAUPROF_DRIVER_CALL TAUPROF_DRIVER_CASE
#include "hooks/cuda_driver.def"
#undef TAUPROF_ACTION
  }
}

void after_callback_call(uint16_t hook, ThreadState& thread, int64_t result, const void* parameters) {
  switch (hook) {
#define TAUPROF_ACTION Kind::after(thread, result, arguments);
#define TAUPROF_HOOK TAUPROF_RUNTIME_CASE
#include "hooks/cuda_runtime.def"
#define TAUPROF_DRIVER_CALL TAUPROF_DRIVER_CASE
#include "hooks/cuda_driver.def"
#undef TAUPROF_ACTION
  }
}

void read_callback_call(uint16_t hook, Reading& reading, const void* parameters) {
  switch (hook) {
#define TAUPROF_ACTION Kind::read(reading, capture::thread_state, 0, arguments);
#define TAUPROF_HOOK TAUPROF_RUNTIME_CASE
#include "hooks/cuda_runtime.def"
#define TAUPROF_DRIVER_CALL TAUPROF_DRIVER_CASE
#include "hooks/cuda_driver.def"
#undef TAUPROF_ACTION
  }
}

}  // namespace tauprof::hooks
