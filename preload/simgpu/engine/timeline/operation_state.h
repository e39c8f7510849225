// An operation in the timeline. The engine's lock guards all fields.
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
    Queued,   // predecessors are over; waits for its time or for a share of the device
    Running,
    Done,
  };

  OperationRequest request;
  State state = State::Waiting;
  std::uint64_t id = 0;
  int device = 0;
  int priority = 0;
  std::shared_ptr<Stream> stream;  // reset when it is over; null for nodes of a graph
  unsigned awaited = 0;            // predecessors that are not over
  std::vector<OperationRef> followers;

  Nanoseconds submitted = 0;
  Nanoseconds ready = 0;  // the earliest start, by what is known
  Nanoseconds pause = 0;  // from its last predecessor's end to its start, if it occupies the device
  Nanoseconds start = 0;
  Nanoseconds end = 0;

  // While it runs: at `updated`, `remaining` nanoseconds of work at full rate were left.
  double remaining = 0;
  double rate = 1;
  Nanoseconds updated = 0;
  std::shared_ptr<ExternalProgress> external;
  bool end_known = true;  // false: `external` does not know yet
  bool is_host_function = false;

  // The sum of the nominal durations on its stream, up to and including this operation. Between the ends of two
  // operations of a stream lies at least the difference of their marks.
  Nanoseconds mark = 0;

  // The nodes of a graph launch, for the interval that they cover.
  std::vector<OperationRef> graph_nodes;

  bool is_done() const { return state == State::Done; }
  // When a running operation ends if nothing changes.
  Nanoseconds predicted_end() const {
    return rate > 0 ? updated + static_cast<Nanoseconds>(remaining / rate + 0.5) : INT64_MAX;
  }
};

}  // namespace simgpu
