// What a launch means for the step follower, from a row's facts and the call's arguments. Only asked while steps are
// followed.
#pragma once

#include <string.h>

#include <tuple>

#include "capture/calls/kernel_names.h"
#include "capture/record_window.h"
#include "capture/steps/kernel_roles.h"
#include "hooks/facts.h"

namespace tauprof::hooks {

inline capture::StepEvent event_of_kernel(const void* kernel) {
  switch (capture::kernel_role(capture::kernel_names.find(kernel))) {
    case capture::KernelRole::kUpdate:
      return capture::StepEvent::kUpdate;
    case capture::KernelRole::kNearUpdate:
      return capture::StepEvent::kNearUpdate;
    default:
      return capture::StepEvent::kWork;
  }
}

// Copies and memsets; a graph launch is work.
template <class Kind, class Arguments>
capture::StepEvent event_of_copy(uint16_t function, const Arguments& arguments) {
  if (strncmp(capture::function_name(function), "cudaGraphLaunch", strlen("cudaGraphLaunch")) == 0)
    return capture::StepEvent::kWork;
  Reading reading;
  Kind::read(reading, capture::thread_state, 0, arguments);
  const bool is_input =
      Kind::kPayload == capture::PayloadKind::kBytes &&
      reading.call.payload >> capture::kCopyKindShift == static_cast<uint64_t>(log::CopyKind::kHostToDevice);
  return is_input ? capture::StepEvent::kInputCopy : capture::StepEvent::kTail;
}

// What is to be recorded from this launch on.
template <class Kind, class Arguments>
[[gnu::noinline, gnu::cold]] uint32_t follow_steps(uint16_t function, const Arguments& arguments) {
  capture::StepEvent event = capture::StepEvent::kWork;
  if constexpr (Kind::kRecord == capture::HookRecord::kCollective)
    event = capture::StepEvent::kCollective;
  else if constexpr (Kind::kKernel >= 0)
    event = event_of_kernel(reinterpret_cast<const void*>(as_word(std::get<Kind::kKernel>(arguments))));
  else if constexpr (Kind::kRecord == capture::HookRecord::kCall && !Kind::kHasExtension)
    event = event_of_copy<Kind>(function, arguments);
  capture::record_window.follow_step(event, capture::function_name(function));
  return capture::recording();
}

}  // namespace tauprof::hooks
