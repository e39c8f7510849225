// What a call means for the search for steps, from a row's facts and the call's arguments. Only asked while steps are
// followed.
#pragma once

#include <string.h>

#include <tuple>

#include "capture/calls/graph_captures.h"
#include "capture/calls/stream_meant.h"
#include "capture/record_window.h"
#include "capture/steps/kernel_roles.h"
#include "hooks/launch_arguments.h"

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

// Whether the call only adds to a graph: what it asks for runs when the graph is launched.
template <class Kind, class Arguments>
bool is_captured(uint16_t function, const Arguments& arguments) {
  if (Kind::kWaits || !capture::graph_captures.is_any_open()) return false;
  void* stream = nullptr;
  if constexpr (Kind::kEndsGroup)
    stream = capture::thread_state.group_stream_count > 0 ? capture::thread_state.group_streams[0] : nullptr;
  else
    stream = stream_of<Kind>(arguments);
  return capture::graph_captures.of_stream(capture::stream_meant(stream, capture::function_name(function))) != 0;
}

// What is to be recorded from this call on.
template <class Kind, class Arguments>
[[gnu::noinline, gnu::cold]] uint32_t follow_steps(uint16_t function, const Arguments& arguments) {
  capture::LaunchFacts facts = facts_of<Kind>(function, arguments);
  facts.is_captured = is_captured<Kind>(function, arguments);
  capture::record_window.follow_launch(facts, capture::function_name(function));
  return capture::recording();
}

}  // namespace tauprof::hooks
