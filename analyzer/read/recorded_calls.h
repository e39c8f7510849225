// The host calls of a log: of the runtime and the driver, of cuBLAS and cuDNN, and of NCCL, with what the log tells
// about the device work that they launched.
#pragma once

#include <cstdint>
#include <utility>

#include "model/process_trace.h"
#include "read/gemm_table.h"
#include "read/graph_table.h"
#include "read/launch_join.h"
#include "read/record_block.h"
#include "read/recorded_stacks.h"
#include "read/recorded_state.h"

namespace tauprof {

class RecordedCalls {
 public:
  // `expected`: about how many calls there will be. Growing an array of millions moves them all.
  RecordedCalls(ProcessTrace& trace, RecordedState& state, RecordedStacks& stacks, size_t expected);

  void take(const RecordBlock& block);

  // Once all blocks are read: gives the calls their classes; then their order. The result refers to the trace.
  void classify();
  LaunchJoin finish(bool keeps_order);

 private:
  [[gnu::always_inline]] inline void add(const log::Call& row);  // see record_rows.h
  void add(const log::Gemm& row);
  void add(const log::OperatorWork& row);
  void add(const log::Collective& row);
  void add(const log::Link& row);
  void add(const log::GraphContent& row) { graphs_.add(row); }
  template <class Row>
  HostCall host_call(const Row& row);
  void read_cpu_clock(uint16_t thread, Nanoseconds time, int64_t cpu);
  void find_event_uses();

  ProcessTrace& trace_;
  RecordedState& state_;
  RecordedStacks& stacks_;
  GemmTable gemms_;
  GraphTable graphs_;
  LaunchJoin::Links links_;
  LaunchJoin::Collectives kernel_collectives_;
  struct EventRow {
    uint16_t thread;
    Nanoseconds start;
    int64_t event;
  };
  std::vector<EventRow> events_;
};

}  // namespace tauprof
