// Stream capture: work that is submitted to a capturing stream becomes nodes of a graph instead.
//
// A capture starts on one stream and spreads: an event recorded in it stands for nodes, and a stream that waits for
// such an event joins. Before the end, every stream that joined must rejoin the origin through an event.
#pragma once

#include <driver_types.h>

#include <memory>
#include <thread>
#include <vector>

#include "simgpu/engine/streams/stream_state.h"

namespace simgpu {

struct Graph;

struct Capture {
  unsigned long long id = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  std::shared_ptr<Graph> graph;
  cudaGraph_t graph_handle = nullptr;
  std::weak_ptr<Stream> origin;
  std::vector<std::weak_ptr<Stream>> streams;  // all that joined, including the origin
  bool invalid = false;
};

// All need the engine's lock.

// The error if `stream` cannot be used now because of another stream's capture: an operation on the legacy stream would
// wait for the streams that are being captured. Invalidates those captures.
cudaError_t check_implicit_wait(const StreamRef& stream);
// Adds a node after the stream's last.
cudaError_t capture_node(const StreamRef& stream, cudaGraphNodeType type, OperationRequest request);
// For calls that are forbidden on a capturing stream: invalidates the capture.
cudaError_t refuse_captured(const StreamRef& stream);
cudaError_t capture_event_record(const EventRef& event, const StreamRef& stream);
cudaError_t capture_event_wait(const StreamRef& stream, const EventRef& event);

}  // namespace simgpu
