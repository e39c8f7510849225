// Facts of hook tables about graph functions: a call captures a graph, builds, copies, changes or launches it.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "capture/calls/graph_captures.h"
#include "capture/calls/graph_contents.h"
#include "hooks/capture_number.h"
#include "hooks/cuda_facts.h"
#include "hooks/versioned_calls.h"

namespace tauprof::hooks {

// graph_notes.cpp
void note_captured_call(const ThreadState& thread, uint16_t function, const capture::CallFacts& facts,
                        const capture::Unit* extension);
extern const void* capture_site;  // whose runtime captures

inline void add_parts(const capture::GraphCaptures::Renewed& renewed) {
  for (const uint32_t part : renewed.parts) capture::graph_contents.add_gemms_of(part, renewed.mark);
}

inline void start_capture(const ThreadState& thread, cudaStream_t stream, const void* graph) {
  capture_site = thread.site;
  capture::note_captured_call = note_captured_call;
  void* const meant = capture::stream_meant(stream, capture::function_name(thread.function));
  add_parts(capture::graph_captures.start(meant, capture_number(meant, thread.site), graph));
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
  const capture::GraphCaptures::Renewed renewed = capture::graph_captures.copy(graph, copy);
  if (renewed.mark == 0) return;
  add_parts(renewed);
  capture::graph_contents.ask(renewed.mark, graph);
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
    const void* const executable = argument<kExecutable>(arguments);
    if (is_captured(thread, executable, argument<kStreamArgument>(arguments))) return;
    thread.graph = capture::graph_captures.launched(executable, argument<kStreamArgument>(arguments), thread,
                                                    capture::recording() & capture::kCategoryNccl);
    if (const uint32_t optimizer = capture::graph_captures.update_of(executable))
      capture::end_captured_update(thread, optimizer);
  }

 private:
  // While its stream captures, a launch becomes a part of the graph that is being captured.
  static bool is_captured(const ThreadState& thread, const void* executable, cudaStream_t stream) {
    if (!capture::graph_captures.is_any_open()) return false;
    void* const meant = capture::stream_meant(stream, capture::function_name(thread.function));
    const uint32_t mark = capture::graph_captures.with_number(capture_number(meant, thread.site));
    if (mark == 0) return false;
    add_parts({mark, {capture::graph_captures.add_launch(mark, executable)}});
    return true;
  }
};

// A node of some graph is added, changed or removed.
struct EditsGraph : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments&) {
    if (result == 0) capture::graph_captures.edited();
  }
};

template <int kGraph, int kChild>
struct AddsChild : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0)
      add_parts(capture::graph_captures.add_child(argument<kGraph>(arguments), argument<kChild>(arguments)));
  }
};

// Whether a node of a graph does what it is told to do now in an executable, as far as that is known of graphs.
inline bool does_the_same(CUgraphNode node, const cudaKernelNodeParams* now) {
  return capture::graph_contents.has_kernel(node, capture::kernel_names.find(now->func));
}
inline bool does_the_same(CUgraphNode node, const cudaKernelNodeParamsV2* now) {
  return capture::graph_contents.has_kernel(node, capture::kernel_names.find(now->func));
}
inline bool does_the_same(CUgraphNode node, const cudaMemcpy3DParms* now) {
  return capture::graph_contents.copies(node, Volume<0>::of(now->extent));
}
inline bool does_the_same(CUgraphNode node, size_t bytes) { return capture::graph_contents.copies(node, bytes); }
template <class Fill>
requires requires(const Fill& fill) { fill.elementSize; }
bool does_the_same(CUgraphNode node, const Fill* now) {
  return capture::graph_contents.fills(node, now->elementSize * now->width * now->height);
}
inline bool does_the_same(CUgraphNode node, const cudaGraphNodeParams* now) {
  switch (now->type) {
    case cudaGraphNodeTypeKernel:
      return does_the_same(node, &now->kernel);
    case cudaGraphNodeTypeMemcpy:
      return does_the_same(node, &now->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return does_the_same(node, &now->memset);
    case cudaGraphNodeTypeHost:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
      return true;
    default:
      return false;
  }
}

// A node of the type that its parameters name, which come last: behind one argument more from CUDA 13 on.
template <bool kIsOf13>
struct AddsNode : TrackedFact {
  template <class Arguments>
  static void after(ThreadState& thread, int64_t result, const Arguments& arguments) {
    if (result != 0) return;
    const uint64_t word = kIsOf13 || calls_cuda_13(thread.site) ? argument<5>(arguments) : argument<4>(arguments);
    const auto* const node = reinterpret_cast<const cudaGraphNodeParams*>(word);
    if (node->type == cudaGraphNodeTypeGraph)
      add_parts(capture::graph_captures.add_child(argument<1>(arguments), node->graph.graph));
    else
      capture::graph_captures.edited();
  }
};

// A node of an executable is told to do something else. `kWork`: the argument that says what.
template <int kExecutable, int kNode, int kWork>
struct ChangesNode : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    const void* const executable = argument<kExecutable>(arguments);
    if (result == 0 && !(capture::graph_captures.is_as_asked(executable) &&
                         does_the_same(argument<kNode>(arguments), argument<kWork>(arguments))))
      capture::graph_captures.changed(executable);
  }
};

// The same, and nothing tells whether the node does what it did.
template <int kExecutable>
struct ChangesExecutable : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0) capture::graph_captures.changed(argument<kExecutable>(arguments));
  }
};

}  // namespace tauprof::hooks
