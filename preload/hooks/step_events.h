// What a call means for the search for steps, from the row's facts and the call's arguments. Only used while steps are
// followed. What does not depend on the types of the arguments is kept out of the templates, which hundreds of hooks
// instantiate.
#pragma once

#include <string.h>

#include "capture/calls/graph_captures.h"
#include "capture/calls/stream_meant.h"
#include "capture/steps/kernel_roles.h"
#include "capture/window/record_window.h"
#include "hooks/capture_number.h"
#include "hooks/launch_arguments.h"

namespace tauprof::hooks {

inline capture::LaunchFacts facts_of_kernel(const void* kernel) {
  capture::LaunchFacts facts{.what = as_word(kernel)};
  facts.role = capture::role_of_kernel(kernel);
  if (facts.role == UpdateRole::kClearing) facts.kind = LaunchKind::kFill;
  return facts;
}

// The function and, for messages, the communicator say which launches are equal.
template <class Kind, class Arguments>
capture::LaunchFacts facts_of_collective(uint16_t function, const Arguments& arguments) {
  capture::LaunchFacts facts{.what = function, .kind = LaunchKind::kCollective};
  if constexpr (requires { Kind::kIsMessage; }) {
    facts.is_message = Kind::kIsMessage;
    facts.what |= as_word(argument<Kind::kComm>(arguments)) << 16;
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

// Launches of graphs, copies and memsets, told apart by the function's name.
inline capture::LaunchFacts facts_of_named_call(uint16_t function, uint64_t payload) {
  capture::LaunchFacts facts{.what = function};
  const char* const name = capture::function_name(function);
  if (strstr(name, "GraphLaunch") != nullptr) {
    facts.is_graph = true;
    facts.what |= payload << 16;
  } else if (strstr(name, "Memset") != nullptr) {
    facts.kind = LaunchKind::kFill;
  } else if (strstr(name, "Memcpy") != nullptr) {
    facts.kind = kind_of_copy(payload);
  }
  return facts;
}

template <class Kind, class Arguments>
capture::LaunchFacts facts_of_call(uint16_t function, const void* site, const Arguments& arguments) {
  Reading reading{site};
  Kind::read(reading, capture::thread_state, 0, arguments);
  return facts_of_named_call(function, reading.call.payload);
}

template <class Kind, class Arguments>
capture::LaunchFacts facts_of(uint16_t function, [[maybe_unused]] const void* site, const Arguments& arguments) {
  if constexpr (Kind::kWaits)
    return {.what = function, .kind = LaunchKind::kSync, .is_event_sync = Kind::kWaitsForEvent};
  else if constexpr (Kind::kEndsGroup)
    return {.what = function, .kind = LaunchKind::kCollective, .is_group_end = true};
  else if constexpr (Kind::kRecord == capture::HookRecord::kCollective)
    return facts_of_collective<Kind>(function, arguments);
  else if constexpr (Kind::kKernel >= 0)
    return facts_of_kernel(reinterpret_cast<const void*>(as_word(argument<Kind::kKernel>(arguments))));
  else if constexpr (Kind::kRecord == capture::HookRecord::kCall && !Kind::kHasExtension)
    return facts_of_call<Kind>(function, site, arguments);
  else
    return {.what = function};
}

inline bool is_captured(void* stream, uint16_t function, const void* site) {
  void* const meant = capture::stream_meant(stream, capture::function_name(function));
  return capture::graph_captures.with_number(capture_number(meant, site)) != 0;
}

// Whether the call only adds to a graph: the work runs when the graph is launched.
template <class Kind, class Arguments>
bool is_captured(uint16_t function, const void* site, const Arguments& arguments) {
  if (Kind::kWaits || !capture::graph_captures.is_any_open()) return false;
  const capture::ThreadState& thread = capture::thread_state;
  if constexpr (Kind::kEndsGroup)
    return is_captured(thread.group_stream_count > 0 ? thread.group_streams[0] : nullptr, function, site);
  else
    return is_captured(stream_of<Kind>(site, arguments), function, site);
}

// Tells the recording window of the launch; returns what is to be recorded from this call on.
inline uint32_t follow_launch(const capture::LaunchFacts& facts, uint16_t function) {
  capture::record_window.follow_launch(facts, capture::function_name(function));
  return capture::recording();
}

template <class Kind, class Arguments>
[[gnu::noinline, gnu::cold]] uint32_t follow_steps(uint16_t function, const void* site, const Arguments& arguments) {
  capture::LaunchFacts facts = facts_of<Kind>(function, site, arguments);
  facts.is_captured = is_captured<Kind>(function, site, arguments);
  return follow_launch(facts, function);
}

}  // namespace tauprof::hooks
