// The stacks of a log: frames and stacks as state records, which calls and samples name by number. They may
// stand behind the records that name them, and in any order, so all is put together at the end.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/process_trace.h"
#include "read/log_reader.h"
#include "read/recorded_state.h"

namespace tauprof {

class RecordedStacks {
 public:
  RecordedStacks(ProcessTrace& trace, RecordedState& state) : trace_(trace), state_(state) {}

  // Whether the block held records of stacks.
  bool take(const RecordBlock& block);
  // A call that names a stack.
  void place_call(uint16_t thread, Nanoseconds start, int64_t stack);
  // Stacks of calls that have not returned; the last of a thread counts.
  void place_open_calls(const RecordBlock& block);
  // Once all blocks are read, and the trace has its open calls.
  void finish();

 private:
  void take_frames(const RecordBlock& block);
  void take_modules(const RecordBlock& block);
  void take_stacks(const RecordBlock& block);
  void take_samples(const RecordBlock& block);
  uint32_t build(int64_t stack, unsigned depth);

  struct Rows {
    std::map<int64_t, int64_t> frames;  // by depth
    int64_t caller = 0;
  };

  ProcessTrace& trace_;
  RecordedState& state_;
  std::map<int64_t, uint32_t> frames_;              // the log's number → index
  std::map<int64_t, Rows> stacks_;                  // by the log's number
  std::map<int64_t, uint32_t> built_;               // the same → index
  std::map<uint16_t, int64_t> stack_of_open_call_;  // by thread
  std::vector<int64_t> stack_of_call_;              // beside trace.stacks.calls
  std::vector<int64_t> stack_of_pause_;             // beside trace.stacks.pauses
};

}  // namespace tauprof
