// Collectives that a stream captured into a graph: they run when the graph is launched, once a launch.
//
// At capture each leaves a row without a sequence number, marked with the graph. At each launch of an
// executable of that graph they are recorded again, with their numbers, at the start of the launch.
#pragma once

#include <stdint.h>

#include "capture/calls/communicators.h"
#include "capture/recorder.h"
#include "capture/rings/recorded_unit.h"
#include "capture/rings/thread_state.h"

namespace tauprof::capture {

class GraphCaptures {
 public:
  bool is_any_open() const { return __atomic_load_n(&open_, __ATOMIC_RELAXED) != 0; }

  void begin();
  // `graph` null: the capture failed.
  void end(const void* graph);
  void instantiate(const void* graph, const void* executable);

  // The mark of the capture that `stream` takes part in, 0: none.
  uint32_t of_stream(void* stream);
  void add_collective(uint32_t mark, Communicator* communicator, uint16_t function, const CallFacts& facts,
                      const CollectiveUnit& unit);

  // A launch that succeeded: advances the sequences; records when `is_recorded`.
  void launched(const void* executable, void* stream, ThreadState& thread, bool is_recorded);

 private:
  static constexpr uint32_t kMostCollectives = 1u << 15;
  static constexpr uint32_t kMostGraphs = 4096;
  struct Captured {
    Communicator* communicator;
    uint64_t count;
    CollectiveUnit unit;
    uint32_t mark;
    uint16_t function;
  };
  struct Handle {
    const void* handle;  // graph or executable
    uint32_t mark;
  };
  void remember(const void* handle, uint32_t mark);
  uint32_t mark_of(const void* handle) const;

  Captured* captured_;
  uint32_t captured_count_;
  Handle handles_[kMostGraphs];
  uint32_t handle_count_;
  uint32_t last_mark_;
  uint32_t open_;
  uint32_t lock_;
};

extern GraphCaptures graph_captures;

}  // namespace tauprof::capture
