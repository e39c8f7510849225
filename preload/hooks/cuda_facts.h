// Facts about functions of the CUDA runtime that change what the recorder knows: devices, streams, kernels, graphs, the
// profiler's range.
#pragma once

#include "capture/calls/graph_captures.h"
#include "capture/calls/graph_contents.h"
#include "capture/calls/kernel_names.h"
#include "capture/calls/stream_meant.h"
#include "capture/device/device_activity.h"
#include "capture/window/open_ranges.h"
#include "capture/window/record_window.h"
#include "hooks/capture_number.h"
#include "hooks/facts.h"

namespace tauprof::hooks {

struct TrackedFact : Fact {
  static constexpr bool kTracks = true;
};

template <int kArgument>
struct SetsDevice : TrackedFact {
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    if (result == 0) thread.device = static_cast<uint8_t>(argument<kArgument>(arguments));
  }
};

struct ResetsDevice : TrackedFact {
  template <class Arguments>
  static void before(ThreadState&, const Arguments&) {
    capture::device_activity.device_is_reset();
  }
};

// kFlags: the argument with its flags; -1: there is none, and it has those that are usual.
template <int kArgument, int kFlags = -1>
struct CreatesStream : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    const capture::OwnCalls own;
    if (result == 0) capture::device_activity.stream_created(*argument<kArgument>(arguments), flags(arguments));
  }
  template <class Arguments>
  static uint32_t flags(const Arguments& arguments) {
    if constexpr (kFlags >= 0)
      return argument<kFlags>(arguments);
    else
      return 0;
  }
};

struct OpensRange : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t, const Arguments&) {
    capture::record_window.open_range(capture::CaptureRange::kCudaProfilerApi, capture::now_ns());
  }
};

struct ClosesRange : TrackedFact {
  template <class Arguments>
  static void before(ThreadState&, const Arguments&) {
    capture::record_window.close_range(capture::CaptureRange::kCudaProfilerApi, capture::now_ns());
  }
};

// Gives the kernel of a host function a name.
template <int kFunction, int kName>
struct NamesKernel : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t, const Arguments& arguments) {
    capture::kernel_names.add(argument<kFunction>(arguments), argument<kName>(arguments));
  }
};

// Gives a handle the name of the kernel's host function.
template <int kHandle, int kFunction>
struct HandlesKernel : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0)
      capture::kernel_names.add(reinterpret_cast<const void*>(*argument<kHandle>(arguments)),
                                capture::kernel_names.find(argument<kFunction>(arguments)));
  }
};

}  // namespace tauprof::hooks
