// What a call means for the search for steps, from a row's facts and the call's arguments. Only asked while steps are
// followed.
#pragma once

#include <string.h>

#include <tuple>

#include "capture/record_window.h"
#include "capture/steps/kernel_roles.h"
#include "hooks/facts.h"

namespace tauprof::hooks {

inline capture::LaunchFacts facts_of_kernel(const void* kernel) {
  capture::LaunchFacts facts{.what = as_word(kernel)};
  facts.role = capture::role_of_kernel(kernel);
  if (facts.role == UpdateRole::kClearing) facts.kind = LaunchKind::kFill;
  return facts;
}

// The log's operations and communicators say what is equal.
template <class Kind, class Arguments>
capture::LaunchFacts facts_of_collective(uint16_t function, const Arguments& arguments) {
  capture::LaunchFacts facts{.what = function, .kind = LaunchKind::kCollective};
  if constexpr (requires { Kind::kIsMessage; }) {
    facts.is_message = Kind::kIsMessage;
    facts.what |= as_word(std::get<Kind::kComm>(arguments)) << 16;
  }
  return facts;
}

inline LaunchKind kind_of_copy(uint64_t payload) {
  switch (static_cast<log::CopyKind>(payload >> capture::kCopyKindShift)) {
    case log::CopyKind::kHostToDevice:
      return LaunchKind::kInputCopy;
    case log::CopyKind::kDeviceToHost:
      return LaunchKind::kReadback;
    default:
      return LaunchKind::kMove;
  }
}

// Launches of graphs, copies and memsets.
template <class Kind, class Arguments>
capture::LaunchFacts facts_of_call(uint16_t function, const Arguments& arguments) {
  capture::LaunchFacts facts{.what = function};
  const char* const name = capture::function_name(function);
  Reading reading;
  Kind::read(reading, capture::thread_state, 0, arguments);
  if (strstr(name, "GraphLaunch") != nullptr) {
    facts.is_graph = true;
    facts.what |= reading.call.payload << 16;
  } else if (strstr(name, "Memset") != nullptr) {
    facts.kind = LaunchKind::kFill;
  } else if (strstr(name, "Memcpy") != nullptr) {
    facts.kind = kind_of_copy(reading.call.payload);
  }
  return facts;
}

template <class Kind, class Arguments>
capture::LaunchFacts facts_of(uint16_t function, const Arguments& arguments) {
  if constexpr (Kind::kWaits)
    return {.what = function, .kind = LaunchKind::kSync, .is_event_sync = Kind::kWaitsForEvent};
  else if constexpr (Kind::kEndsGroup)
    return {.what = function, .kind = LaunchKind::kCollective, .is_group_end = true};
  else if constexpr (Kind::kRecord == capture::HookRecord::kCollective)
    return facts_of_collective<Kind>(function, arguments);
  else if constexpr (Kind::kKernel >= 0)
    return facts_of_kernel(reinterpret_cast<const void*>(as_word(std::get<Kind::kKernel>(arguments))));
  else if constexpr (Kind::kRecord == capture::HookRecord::kCall && !Kind::kHasExtension)
    return facts_of_call<Kind>(function, arguments);
  else
    return {.what = function};
}

// What is to be recorded from this call on.
template <class Kind, class Arguments>
[[gnu::noinline, gnu::cold]] uint32_t follow_steps(uint16_t function, const Arguments& arguments) {
  capture::record_window.follow_launch(facts_of<Kind>(function, arguments), capture::function_name(function));
  return capture::recording();
}

}  // namespace tauprof::hooks
