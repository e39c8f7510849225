// The stacks of a log: frames and stacks as state records, to which calls and samples refer by number. They may come
// after the records that refer to them, and in any order, so everything is put together at the end.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/process_trace.h"
#include "read/record_block.h"
#include "read/recorded_state.h"

namespace tauprof {

class RecordedStacks {
 public:
  RecordedStacks(ProcessTrace& trace, RecordedState& state) : trace_(trace), state_(state) {}

  void take(const RecordBlock& block);
  // A call that refers to a stack.
  void add_call(uint16_t thread, Nanoseconds start, int64_t stack);
  // Once all blocks are read, and the trace has its open calls.
  void finish();

 private:
  void add(const log::Frame& row);
  void add(const log::Module& row);
  void add(const log::Stack& row);
  void add(const log::StackSample& row);
  void add(const log::OpenCall& row);
  uint32_t build(int64_t stack, unsigned depth);

  struct Rows {
    std::map<int64_t, int64_t> frames;  // by depth
    int64_t caller = 0;
  };

  ProcessTrace& trace_;
  RecordedState& state_;
  std::map<int64_t, uint32_t> frames_;              // the log's number → index
  std::map<int64_t, Rows> stacks_;                  // by the log's number
  std::map<int64_t, uint32_t> built_;               // the log's number → index
  std::map<uint16_t, int64_t> stack_of_open_call_;  // by thread; the last one counts
  std::vector<int64_t> stack_of_call_;              // parallel to trace.stacks.calls
  std::vector<int64_t> stack_of_pause_;             // parallel to trace.stacks.pauses
};

}  // namespace tauprof
