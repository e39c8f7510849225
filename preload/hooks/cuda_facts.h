// Facts about functions of the CUDA runtime that change what the recorder knows: devices, streams,
// kernels, the profiler's range.
#pragma once

#include "capture/calls/graph_captures.h"
#include "capture/calls/kernel_names.h"
#include "capture/calls/stream_meant.h"
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

inline void* captured_stream(const ThreadState& thread, cudaStream_t stream) {
  return capture::stream_meant(stream, capture::function_name(thread.function));
}

struct BeginsCapture : TrackedFact {
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    if (result == 0) capture::graph_captures.begin(captured_stream(thread, std::get<0>(arguments)), nullptr);
  }
};

template <int kGraph>
struct BeginsCaptureTo : TrackedFact {
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    if (result == 0)
      capture::graph_captures.begin(captured_stream(thread, std::get<0>(arguments)), std::get<kGraph>(arguments));
  }
};

// Which capture it is has to be asked before it ends.
template <int kGraph>
struct EndsCapture : TrackedFact {
  template <class Arguments>
  static void before(ThreadState& thread, const Arguments& arguments) {
    thread.graph = capture::graph_captures.begun_on(captured_stream(thread, std::get<0>(arguments)));
  }
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    capture::graph_captures.end(thread.graph, result == 0 ? *std::get<kGraph>(arguments) : nullptr);
  }
};

// A graph or an executable, behind a pointer, is made of a graph.
template <int kMade, int kGraph>
struct CopiesGraph : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0) capture::graph_captures.copy(std::get<kGraph>(arguments), *std::get<kMade>(arguments));
  }
};

template <int kExecutable, int kGraph>
struct UpdatesGraph : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0) capture::graph_captures.copy(std::get<kGraph>(arguments), std::get<kExecutable>(arguments));
  }
};

template <int kArgument>
struct DestroysGraph : TrackedFact {
  template <class Arguments>
  static void before(ThreadState&, const Arguments& arguments) {
    capture::graph_captures.forget(std::get<kArgument>(arguments));
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
