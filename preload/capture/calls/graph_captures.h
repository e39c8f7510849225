// Collectives and updates that are captured into graphs. They run when the graph is launched, once per launch. What
// else graphs run is in graph_contents.h, by the marks that are given here.
//
// Several captures may be open at once, and a stream joins one by waiting for an event. So the runtime must say which
// capture a call's stream takes part in. It numbers the captures; each has a mark here. Example: stream A captures (7),
// stream B captures (8), stream C waits for an event of A: a collective on C is captured in 7.
//
// While captured, a collective leaves a row without a sequence number that carries the mark: nothing has run. Each
// launch of an executable of that graph records all its collectives again, with sequence numbers, at the start of the
// launch. A graph that is part of another one, or that is launched while a stream captures, hands on what it holds.
//
// A graph has a new mark once it may hold something else: the driver must be asked again (Renewed).
#pragma once

#include <stdint.h>

#include "capture/calls/communicators.h"
#include "capture/rings/recorded_unit.h"
#include "capture/rings/recorder.h"
#include "capture/rings/thread_state.h"

namespace tauprof::capture {

class GraphCaptures {
 public:
  bool is_any_open() const { return __atomic_load_n(&open_count_, __ATOMIC_RELAXED) != 0; }

  // `number`: the runtime's number of the capture that a stream takes part in; 0: none. The mark of the capture; 0: it
  // is not known.
  uint32_t with_number(uint64_t number);
  // The mark of the capture that was started on `stream`. Works for an invalidated capture, too, whose number the
  // runtime no longer gives.
  uint32_t started_on(void* stream, uint64_t number);
  // An optimizer has updated while this was captured last: an update of the framework's (framework/torch_marks.h).
  void add_update(uint32_t optimizer);
  // The optimizer that a launch of the executable updates; 0: none.
  uint32_t update_of(const void* executable);
  // `graph` null: the capture failed.
  void end(uint32_t mark, const void* graph);

  // A graph whose contents must be asked for and logged under `mark`. It also holds the multiplications noted under the
  // marks in `parts`; 0: none.
  struct Renewed {
    uint32_t mark = 0;
    uint32_t parts[2] = {};
  };
  // `stream` starts to capture. `graph`: the existing graph that it adds to, or null. Not to be asked yet.
  Renewed start(void* stream, uint64_t number, const void* graph);
  // `copy`, a graph or an executable, now holds what `graph` holds. A graph that was not captured gets a mark now.
  // Mark 0: what is in it has been asked already.
  Renewed copy(const void* graph, const void* copy);
  // Some graph was edited, not by capturing.
  void edited() { __atomic_add_fetch(&edits_, 1, __ATOMIC_RELAXED); }
  // `graph` now holds what `child` holds, too. Not to be asked yet.
  Renewed add_child(const void* graph, const void* child);
  // Whether no graph was edited since the executable was made.
  bool is_as_asked(const void* executable);
  // An executable was changed: it still runs its collectives, but nobody knows what else.
  void changed(const void* executable);
  // A launch of the executable was captured. Returns its mark; 0: none.
  uint32_t add_launch(uint32_t mark, const void* executable);
  // The handle may be reused soon.
  void forget(const void* handle);

  void add_collective(uint32_t mark, Communicator* communicator, uint16_t function, const CallFacts& facts,
                      const CollectiveUnit& unit);
  // After a launch that succeeded: advances the sequence numbers, and records the collectives if `is_recorded`. Returns
  // the mark; 0: it is not known.
  uint32_t launched(const void* executable, void* stream, ThreadState& thread, bool is_recorded);

 private:
  static constexpr uint32_t kMostCollectives = 1u << 20;
  static constexpr uint32_t kHandleSlots = 1u << 15;
  static constexpr uint32_t kMostOpen = 64;
  struct Captured {
    Communicator* communicator;
    uint64_t count;
    CollectiveUnit unit;
    uint32_t next;  // of the same mark; 0: none
    uint16_t function;
  };
  struct Open {
    uint64_t number;  // the runtime's
    void* stream;
    uint32_t mark;
    uint32_t first, last;  // of its collectives; 0: none yet
    uint32_t optimizer;    // that it updates; 0: none
  };
  struct Handle {
    const void* handle;  // graph or executable; null: a free slot
    uint32_t mark;
    uint32_t first;
    uint32_t optimizer;
    uint32_t asked_after;  // the number of edits when its content was asked, plus 1; 0: it has not been asked
  };
  bool make_room();
  void append(Open& open, const Captured& captured);
  void append_all(Open& open, uint32_t first);
  Open* find_open(uint32_t mark);
  Handle* find(const void* handle);
  uint32_t slot_of(const void* handle) const;
  void remember(const Handle& named);
  void remove(const void* handle);

  Captured* captured_;  // counted from 1
  uint32_t captured_count_;
  Handle handles_[kHandleSlots];  // the first free slot after a handle's own ends the search for it
  uint32_t handle_count_;
  Open open_[kMostOpen];
  uint32_t open_count_;
  uint32_t last_mark_;
  uint32_t edits_;
  uint32_t lock_;
};

extern GraphCaptures graph_captures;

}  // namespace tauprof::capture
