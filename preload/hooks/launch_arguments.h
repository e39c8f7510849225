// The stream and the kernel of a launch, from the call's arguments.
#pragma once

#include "capture/rings/thread_state.h"
#include "hooks/facts.h"

namespace tauprof::hooks {

// The stream as the caller passed it, or as the library's handle has it.
template <class Kind, class Arguments>
void* stream_of([[maybe_unused]] const void* site, const Arguments& arguments) {
  if constexpr (Kind::kStream >= 0) {
    return reinterpret_cast<void*>(as_word(argument<Kind::kStream>(arguments)));
  } else {
    capture::Unit extension = {};
    Reading reading{site, {}, &extension};
    Kind::read(reading, capture::thread_state, 0, arguments);
    return reinterpret_cast<void*>(reading.call.stream);
  }
}

// The host function or handle of the kernel; null: the call has none.
template <class Kind, class Arguments>
const void* kernel_of(const Arguments& arguments) {
  if constexpr (Kind::kKernel >= 0) return reinterpret_cast<const void*>(as_word(argument<Kind::kKernel>(arguments)));
  return nullptr;
}

}  // namespace tauprof::hooks
