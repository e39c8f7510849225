// An operation while the timeline works on it. All fields belong to whoever holds the engine's lock.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simgpu/engine/operation.h"

namespace simgpu {

class Stream;

class Operation {
 public:
  enum class State : std::uint8_t {
    Waiting,  // for predecessors
    Queued,   // predecessors are over; for its time or for a part of the device
    Running,
    Done,
  };

  OperationRequest request;
  State state = State::Waiting;
  std::uint64_t id = 0;
  int device = 0;
  int priority = 0;
  std::shared_ptr<Stream> stream;  // until it is over; null for the nodes of a graph
  unsigned awaited = 0;            // predecessors that are not over
  std::vector<OperationRef> followers;

  Nanoseconds submitted = 0;
  Nanoseconds ready = 0;  // no start before this, by all that is known
  Nanoseconds start = 0;
  Nanoseconds end = 0;

  // While it runs: `remaining` nanoseconds of work at full rate were left at `updated`.
  double remaining = 0;
  double rate = 1;
  Nanoseconds updated = 0;
  std::shared_ptr<ExternalProgress> external;
  bool end_known = true;  // false: the external party has not said yet
  bool is_host_function = false;

  // The sum of the durations on its stream up to its end, as they are on an idle device: no operation of a stream ends
  // sooner after another one's end than the difference between their marks.
  Nanoseconds mark = 0;

  // Of a graph launch: its nodes, for the interval that they cover.
  std::vector<OperationRef> graph_nodes;

  bool is_done() const { return state == State::Done; }
  // Of a running operation, if nothing changes.
  Nanoseconds predicted_end() const {
    return rate > 0 ? updated + static_cast<Nanoseconds>(remaining / rate + 0.5) : INT64_MAX;
  }
};

}  // namespace simgpu
