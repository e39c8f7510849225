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

template <int kArgument>
struct CreatesStream : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    const capture::OwnCalls own;
    if (result == 0) capture::device_activity.stream_created(*argument<kArgument>(arguments));
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

// graph_notes.cpp
void note_captured_call(const ThreadState& thread, uint16_t function, const capture::CallFacts& facts,
                        const capture::Unit* extension);
extern const void* capture_site;  // whose runtime captures

inline void start_capture(const ThreadState& thread, cudaStream_t stream, const void* graph) {
  capture_site = thread.site;
  capture::note_captured_call = note_captured_call;
  void* const meant = capture::stream_meant(stream, capture::function_name(thread.function));
  capture::graph_captures.start(meant, capture_number(meant, thread.site), graph);
}

struct StartsCapture : TrackedFact {
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    if (result == 0) start_capture(thread, argument<0>(arguments), nullptr);
  }
};

template <int kGraph>
struct StartsCaptureTo : TrackedFact {
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    if (result == 0) start_capture(thread, argument<0>(arguments), argument<kGraph>(arguments));
  }
};

// The capture must be looked up before it ends.
template <int kGraph>
struct EndsCapture : TrackedFact {
  template <class Arguments>
  static void before(ThreadState& thread, const Arguments& arguments) {
    void* const stream = capture::stream_meant(argument<0>(arguments), capture::function_name(thread.function));
    thread.graph = capture::graph_captures.started_on(stream, capture_number(stream, thread.site));
  }
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    capture::graph_captures.end(thread.graph, result == 0 ? *argument<kGraph>(arguments) : nullptr);
  }
};

inline void copy_graph(cudaGraph_t graph, const void* copy) {
  if (const uint32_t mark = capture::graph_captures.copy(graph, copy)) capture::graph_contents.ask(mark, graph);
}

// Makes a graph or an executable, which a pointer returns, from a graph.
template <int kMade, int kGraph>
struct CopiesGraph : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0) copy_graph(argument<kGraph>(arguments), *argument<kMade>(arguments));
  }
};

template <int kExecutable, int kGraph>
struct UpdatesGraph : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0) copy_graph(argument<kGraph>(arguments), argument<kExecutable>(arguments));
  }
};

template <int kArgument>
struct DestroysGraph : TrackedFact {
  template <class Arguments>
  static void before(ThreadState&, const Arguments& arguments) {
    capture::graph_captures.forget(argument<kArgument>(arguments));
  }
};

// Runs the collectives and updates that were captured into the graph.
template <int kExecutable, int kStreamArgument>
struct LaunchesGraph : TrackedFact {
  static constexpr bool kLaunches = true;
  static constexpr PayloadKind kPayload = PayloadKind::kGraph;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    const uint64_t mark = capture::thread_state.graph;
    reading.call.payload = as_word(argument<kExecutable>(arguments)) & ((uint64_t{1} << capture::kGraphShift) - 1);
    if (mark < uint64_t{1} << (64 - capture::kGraphShift)) reading.call.payload |= mark << capture::kGraphShift;
  }
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    thread.graph = 0;
    if (result != 0) return;
    thread.graph =
        capture::graph_captures.launched(argument<kExecutable>(arguments), argument<kStreamArgument>(arguments), thread,
                                         capture::recording() & capture::kCategoryNccl);
    if (const uint32_t optimizer = capture::graph_captures.update_of(argument<kExecutable>(arguments)))
      capture::end_captured_update(thread, optimizer);
  }
};

}  // namespace tauprof::hooks
