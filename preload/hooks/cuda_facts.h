// Facts about functions of the CUDA runtime that change what the recorder knows: devices, streams,
// kernels, the profiler's range.
#pragma once

#include "capture/calls/graph_captures.h"
#include "capture/calls/kernel_names.h"
#include "capture/device/device_activity.h"
#include "capture/record_window.h"
#include "hooks/facts.h"

namespace tauprof::hooks {

struct TrackedFact : Fact {
  static constexpr bool kTracks = true;
};

template <int kArgument>
struct SetsDevice : TrackedFact {
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    if (result == 0) thread.device = static_cast<uint8_t>(std::get<kArgument>(arguments));
  }
};

template <int kArgument>
struct CreatesStream : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    const capture::OwnCalls own;
    if (result == 0) capture::device_activity.stream_created(*std::get<kArgument>(arguments));
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

// A name for a kernel's host function.
template <int kFunction, int kName>
struct NamesKernel : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t, const Arguments& arguments) {
    capture::kernel_names.add(std::get<kFunction>(arguments), std::get<kName>(arguments));
  }
};

// A handle for a kernel's host function: the same name.
template <int kHandle, int kFunction>
struct HandlesKernel : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0)
      capture::kernel_names.add(reinterpret_cast<const void*>(*std::get<kHandle>(arguments)),
                                capture::kernel_names.find(std::get<kFunction>(arguments)));
  }
};

struct BeginsCapture : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments&) {
    if (result == 0) capture::graph_captures.begin();
  }
};

template <int kGraph>
struct EndsCapture : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    capture::graph_captures.end(result == 0 ? static_cast<const void*>(*std::get<kGraph>(arguments)) : nullptr);
  }
};

template <int kExecutable, int kGraph>
struct InstantiatesGraph : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0)
      capture::graph_captures.instantiate(std::get<kGraph>(arguments), *std::get<kExecutable>(arguments));
  }
};

// The collectives that were captured into the graph run now.
template <int kExecutable, int kStreamArgument>
struct LaunchesGraph : TrackedFact {
  static constexpr bool kLaunches = true;
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    if (result != 0) return;
    capture::graph_captures.launched(std::get<kExecutable>(arguments), std::get<kStreamArgument>(arguments), thread,
                                     capture::recording() & capture::kCategoryNccl);
  }
};

}  // namespace tauprof::hooks
