// Collectives that streams captured into graphs: they run when the graph is launched, once a launch.
//
// Several captures may be open at once, and streams join them by waiting for events. So a call is of the capture that
// the runtime says its stream takes part in: the runtime numbers captures, and each number that holds collectives has
// a mark here. Example: A captures (7), B captures (8), C waits for an event of A: a collective on C is captured in 7.
//
// At capture each collective leaves a row without a sequence number, marked with the graph: nothing has run. At each
// launch of an executable of that graph all of them are recorded again, with their numbers, at the start of the launch.
#pragma once

#include <stdint.h>

#include "capture/calls/communicators.h"
#include "capture/recorder.h"
#include "capture/rings/recorded_unit.h"
#include "capture/rings/thread_state.h"

namespace tauprof::capture {

class GraphCaptures {
 public:
  bool is_any_open() const { return __atomic_load_n(&open_count_, __ATOMIC_RELAXED) != 0; }

  // `stream` captures from now on: into `graph` if it adds to one that exists, else null.
  void begin(void* stream, const void* graph);
  // The mark of the capture that `stream` takes part in, 0: none.
  uint32_t of_stream(void* stream);
  // The capture that was begun on `stream`; of an invalidated one the runtime does not tell the number any more.
  uint32_t begun_on(void* stream);
  // `graph` null: the capture failed.
  void end(uint32_t mark, const void* graph);

  // `copy`, a graph or an executable, holds from now on what `graph` holds.
  void copy(const void* graph, const void* copy);
  // The handle may soon name another one.
  void forget(const void* handle);

  void add_collective(uint32_t mark, Communicator* communicator, uint16_t function, const CallFacts& facts,
                      const CollectiveUnit& unit);
  // A launch that succeeded: advances the sequences; records when `is_recorded`.
  void launched(const void* executable, void* stream, ThreadState& thread, bool is_recorded);

 private:
  static constexpr uint32_t kMostCollectives = 1u << 20;
  static constexpr uint32_t kMostHandles = 4096;
  static constexpr uint32_t kMostOpen = 64;
  struct Captured {
    Communicator* communicator;
    uint64_t count;
    CollectiveUnit unit;
    uint32_t next;  // of the same mark, 0: none
    uint16_t function;
  };
  struct Open {
    uint64_t number;  // the runtime's
    void* stream;
    uint32_t mark;
    uint32_t first, last;  // of its collectives, 0: none yet
  };
  struct Handle {
    const void* handle;  // graph or executable; null: forgotten
    uint32_t mark;
    uint32_t first;
  };
  bool make_room();
  void append(Open& open, const Captured& captured);
  Open* find_open(uint32_t mark);
  const Handle* find(const void* handle) const;
  void remember(const void* handle, uint32_t mark, uint32_t first);

  Captured* captured_;  // from 1
  uint32_t captured_count_;
  Handle handles_[kMostHandles];
  uint32_t handle_count_;
  Open open_[kMostOpen];
  uint32_t open_count_;
  uint32_t last_mark_;
  uint32_t lock_;
};

extern GraphCaptures graph_captures;

}  // namespace tauprof::capture
