// The rules of capture.
#include "simgpu/engine/streams/capture.h"

#include <algorithm>
#include <atomic>

#include "simgpu/engine/call.h"
#include "simgpu/engine/streams/graph_state.h"
#include "simgpu/engine/timeline/engine_lock.h"

namespace simgpu {
namespace {

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

// Most programs never capture. They pay one load per call that a capture would forbid.
std::atomic<int> open_captures{0};

std::vector<std::weak_ptr<Capture>>& captures() {
  static auto& all = *new std::vector<std::weak_ptr<Capture>>;
  return all;
}

std::vector<std::shared_ptr<Capture>> live_captures() {
  std::vector<std::shared_ptr<Capture>> result;
  for (const auto& one : captures()) {
    if (auto capture = one.lock()) result.push_back(std::move(capture));
  }
  return result;
}

// Whether this capture forbids unsafe calls on the calling thread.
bool forbids_unsafe_calls(const Capture& capture) {
  if (thread_mode == cudaStreamCaptureModeRelaxed) return false;
  if (capture.mode == cudaStreamCaptureModeRelaxed) return false;
  const bool is_own = capture.thread == std::this_thread::get_id();
  if (thread_mode == cudaStreamCaptureModeThreadLocal) return is_own;
  return is_own || capture.mode == cudaStreamCaptureModeGlobal;
}

void join(const StreamRef& stream, const std::shared_ptr<Capture>& capture) {
  stream->capture = capture;
  stream->capture_dependencies.clear();
  capture->streams.push_back(stream);
}

void add_dependencies(Stream& stream, const std::vector<GraphNode*>& nodes) {
  for (GraphNode* node : nodes) {
    auto& known = stream.capture_dependencies;
    if (std::find(known.begin(), known.end(), node) == known.end()) known.push_back(node);
  }
}

// A stream has rejoined when every node from which it would continue has a successor or belongs to the origin.
bool has_unjoined_work(const Capture& capture, const Stream& origin) {
  std::vector<const GraphNode*> followed(origin.capture_dependencies.begin(), origin.capture_dependencies.end());
  for (const auto& node : capture.graph->nodes) followed.insert(followed.end(), node->after.begin(), node->after.end());
  for (const auto& one : capture.streams) {
    const StreamRef stream = one.lock();
    if (!stream || stream.get() == &origin) continue;
    for (const GraphNode* node : stream->capture_dependencies) {
      if (std::find(followed.begin(), followed.end(), node) == followed.end()) return true;
    }
  }
  return false;
}

void leave_all(Capture& capture) {
  for (const auto& one : capture.streams) {
    const StreamRef stream = one.lock();
    if (!stream) continue;
    stream->capture.reset();
    stream->capture_dependencies.clear();
  }
  --open_captures;
}

bool is_captured_and_blocking(const StreamRef& stream) { return stream->capture && stream->is_blocking(); }

std::vector<cudaGraphNode_t> handles_of(const std::vector<GraphNode*>& nodes) {
  std::vector<cudaGraphNode_t> handles;
  for (const GraphNode* node : nodes) handles.push_back(node->handle);
  return handles;
}

}  // namespace

bool would_wait_for_capture(const StreamRef& stream) {
  if (!stream->is_legacy || open_captures.load(std::memory_order_relaxed) == 0) return false;
  const auto streams = StreamRegistry::get().on_device(stream->device);
  return std::any_of(streams.begin(), streams.end(), is_captured_and_blocking);
}

cudaError_t check_implicit_wait(const StreamRef& stream) {
  if (!would_wait_for_capture(stream)) return cudaSuccess;
  for (const auto& other : StreamRegistry::get().on_device(stream->device)) {
    if (is_captured_and_blocking(other)) other->capture->invalid = true;
  }
  return cudaErrorStreamCaptureImplicit;
}

cudaError_t check_unsafe_call() {
  if (open_captures.load(std::memory_order_relaxed) == 0) return cudaSuccess;
  const std::lock_guard<std::mutex> lock(engine_lock());
  cudaError_t result = cudaSuccess;
  for (const auto& capture : live_captures()) {
    if (!forbids_unsafe_calls(*capture)) continue;
    capture->invalid = true;
    result = cudaErrorStreamCaptureUnsupported;
  }
  return result;
}

cudaError_t refuse_captured(const StreamRef& stream) {
  stream->capture->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t capture_node(const StreamRef& stream, cudaGraphNodeType type, OperationRequest request) {
  if (stream->capture->invalid) return cudaErrorStreamCaptureInvalidated;
  GraphNode* node = add_graph_node(stream->capture->graph, type, std::move(request), stream->capture_dependencies);
  stream->capture_dependencies = {node};
  return cudaSuccess;
}

cudaError_t capture_event_record(const EventRef& event, const StreamRef& stream) {
  if (stream->capture->invalid) return cudaErrorStreamCaptureInvalidated;
  event->record.reset();
  event->capture = stream->capture;
  event->capture_nodes = stream->capture_dependencies;
  return cudaSuccess;
}

cudaError_t capture_event_wait(const StreamRef& stream, const EventRef& event) {
  if (!event->capture) {
    if (!event->record) return cudaSuccess;
    stream->capture->invalid = true;
    return cudaErrorStreamCaptureIsolation;  // it would depend on work outside of the capture
  }
  const auto capture = event->capture;
  if (stream->is_legacy) {
    capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  if (stream->capture && stream->capture != capture) {
    stream->capture->invalid = capture->invalid = true;
    return cudaErrorStreamCaptureMerge;
  }
  const bool is_over = capture->origin.expired() || capture->origin.lock()->capture != capture;
  if (is_over) return cudaErrorInvalidValue;
  if (!stream->capture) join(stream, capture);
  add_dependencies(*stream, event->capture_nodes);
  return cudaSuccess;
}

bool is_capturing(const StreamRef& stream) {
  if (open_captures.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard<std::mutex> lock(engine_lock());
  return stream->capture != nullptr;
}

cudaError_t begin_capture(const StreamRef& stream, cudaStreamCaptureMode mode) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (const cudaError_t error = usable(stream->device)) return error;
  const std::lock_guard<std::mutex> lock(engine_lock());
  if (stream->is_legacy) return cudaErrorStreamCaptureUnsupported;
  if (stream->capture) return cudaErrorIllegalState;
  GraphRegistry& registry = GraphRegistry::get();
  auto capture = std::make_shared<Capture>();
  capture->id = ++registry.last_capture_id;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->graph = std::make_shared<Graph>();
  capture->graph_handle = registry.graphs.insert<cudaGraph_t>(capture->graph);
  capture->origin = stream;
  auto& all = captures();
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& one) { return one.expired(); }), all.end());
  all.push_back(capture);
  ++open_captures;
  join(stream, capture);
  return cudaSuccess;
}

cudaError_t end_capture(const StreamRef& stream, cudaGraph_t* out) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (!out) return cudaErrorInvalidValue;
  *out = nullptr;
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto capture = stream->capture;
  if (!capture) return cudaErrorIllegalState;
  if (capture->origin.lock() != stream) return cudaErrorStreamCaptureUnmatched;
  const bool is_foreign = capture->thread != std::this_thread::get_id();
  if (is_foreign && capture->mode != cudaStreamCaptureModeRelaxed) return cudaErrorStreamCaptureWrongThread;
  cudaError_t result = cudaSuccess;
  if (capture->invalid) {
    result = cudaErrorStreamCaptureInvalidated;
  } else if (has_unjoined_work(*capture, *stream)) {
    result = cudaErrorStreamCaptureUnjoined;
  }
  leave_all(*capture);
  auto& all = captures();
  all.erase(std::remove_if(all.begin(), all.end(), [&](const auto& one) { return one.lock() == capture; }), all.end());
  if (result == cudaSuccess) {
    *out = capture->graph_handle;
  } else {
    GraphRegistry::get().graphs.remove(capture->graph_handle);
  }
  return result;
}

cudaError_t capture_info(const StreamRef& stream, CaptureInfo* out) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  const std::lock_guard<std::mutex> lock(engine_lock());
  if (would_wait_for_capture(stream)) return cudaErrorStreamCaptureImplicit;  // a query invalidates no capture
  *out = {};
  if (!stream->capture) return cudaSuccess;
  const Capture& capture = *stream->capture;
  out->status = capture.invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
  out->id = capture.id;
  out->graph = capture.graph_handle;
  out->dependencies = handles_of(stream->capture_dependencies);
  return cudaSuccess;
}

cudaError_t update_capture_dependencies(const StreamRef& stream, const std::vector<cudaGraphNode_t>& nodes,
                                        bool replace) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  const std::lock_guard<std::mutex> lock(engine_lock());
  if (!stream->capture) return cudaErrorIllegalState;
  std::vector<GraphNode*> found;
  for (const cudaGraphNode_t handle : nodes) {
    const auto node = GraphRegistry::get().nodes.find(handle);
    if (!node || node->owner != stream->capture->graph.get()) return cudaErrorInvalidValue;
    found.push_back(node.get());
  }
  if (replace) stream->capture_dependencies.clear();
  add_dependencies(*stream, found);
  return cudaSuccess;
}

cudaError_t exchange_capture_mode(cudaStreamCaptureMode* mode) {
  if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed) {
    return cudaErrorInvalidValue;
  }
  std::swap(*mode, thread_mode);
  return cudaSuccess;
}

}  // namespace simgpu
