// The hook tables' rows for runtime and driver calls that CUPTI reports by callback: they read CUPTI's parameter
// structs instead of a call's arguments. Small rather than fast: programs whose calls hooks see never come here.
#pragma once

#include <stdint.h>

#include "capture/rings/thread_state.h"
#include "hooks/facts.h"
#include "hooks/hook_number.h"

namespace tauprof::hooks {

// The hook number of a function by the name that CUPTI has for it; CallWatch::kNoFunction: it has no row.
uint16_t function_with_callback(bool is_driver, const char* name, unsigned size);

struct CallbackTraits {
  uint32_t records;  // as FactList has them
  uint32_t interest;
  bool is_followed;
  bool has_parameters;
};
CallbackTraits callback_traits(uint16_t hook);

// `parameters`: CUPTI's structure with the arguments, in their order.
void before_callback_call(uint16_t hook, ThreadState& thread, const void* parameters);
void after_callback_call(uint16_t hook, ThreadState& thread, int64_t result, const void* parameters);
void read_callback_call(uint16_t hook, Reading& reading, const void* parameters);

}  // namespace tauprof::hooks
