// Evidence about clocks from collectives and messages: in true time, no end that an event proves came before any start
// that it proves.
//
// An all-reduce proves every member's start and end: none leaves before all have come. A broadcast proves its root's
// start and the others' ends, a reduce the others' starts and its root's end, a message its sender's start and its
// receiver's end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/time.h"

namespace tauprof {

struct ClockWitness {
  uint32_t rank = 0;  // index into the run's timelines
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  bool proves_start = false;
  bool proves_end = false;
};

// Do members end an operation in the same instant? Only where each needs every other, and all send and receive the
// same. In an all-to-all, who receives more ends later.
enum class Ends : uint8_t {
  kCommon,
  kNotKnown,  // each needs every other, but not how much of it is known
  kApart,     // parts differ, or one side may end first
};

struct ClockEvidence {
  struct Event {
    uint32_t group = 0;          // events of one communicator share it
    uint32_t first_witness = 0;  // up to the next event's
    Ends ends = Ends::kApart;
  };
  std::vector<Event> events;
  std::vector<ClockWitness> witnesses;

  // The first witness of the event after `event`.
  uint32_t end_of(size_t event) const {
    return event + 1 < events.size() ? events[event + 1].first_witness : static_cast<uint32_t>(witnesses.size());
  }
};

}  // namespace tauprof
