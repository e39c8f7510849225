// The state of streams and events. The engine's lock guards all fields.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "simgpu/engine/handle_table.h"
#include "simgpu/engine/stream.h"
#include "simgpu/engine/timeline/operation_state.h"

namespace simgpu {

struct Capture;
struct GraphNode;

class Stream {
 public:
  int device = 0;
  unsigned flags = 0;
  int priority = 0;
  std::uint32_t id = 0;
  bool is_legacy = false;

  OperationRef last;                 // the next submission comes after it
  std::deque<OperationRef> pending;  // in order; the front may be over
  Nanoseconds mark = 0;              // see Operation::mark

  std::shared_ptr<Capture> capture;              // while it is being captured
  std::vector<GraphNode*> capture_dependencies;  // of the next node

  bool is_blocking() const { return !(flags & cudaStreamNonBlocking); }
  // Drops operations that are over. The front is then the one that runs or will run next.
  void trim() {
    while (!pending.empty() && pending.front()->is_done()) pending.pop_front();
  }
};

class Event {
 public:
  int device = 0;
  unsigned flags = 0;
  std::uint32_t id = 0;
  OperationRef record;               // the latest cudaEventRecord; null: never recorded
  std::shared_ptr<Capture> capture;  // if recorded in a capture: the event stands for these nodes
  std::vector<GraphNode*> capture_nodes;

  bool has_timing() const { return !(flags & cudaEventDisableTiming); }
};

struct StreamRegistry {
  HandleTable<Stream> streams{0x510000000};
  HandleTable<Event> events{0x520000000};
  std::vector<StreamRef> legacy;  // by device
  // By device: what the operation that was submitted last waits for, the newest of each stream. With
  // CUDA_DEVICE_MAX_CONNECTIONS=1 all streams share a queue, so none later starts before these are over.
  std::vector<std::vector<OperationRef>> heads;
  std::vector<std::weak_ptr<Stream>> all;
  std::uint32_t last_stream_id = 12;
  std::uint32_t last_event_id = 0;
  std::uint64_t last_operation_id = 0;

  static StreamRegistry& get();
  std::vector<StreamRef> on_device(int device);
};

// The error that every call on the device returns now: forked child, or sticky error. Needs no lock.
cudaError_t usable(int device);

// Fills in what the submitter left open, and queues the operation after the stream's last one and after `after`.
OperationRef enqueue(const StreamRef& stream, OperationRequest request, const std::vector<OperationRef>& after);
// An operation that is in no stream's order: a node of a graph.
OperationRef make_operation(int device, OperationRequest request);

}  // namespace simgpu
