// The operations of an imported operation trace, in the order of the trace.
#pragma once

#include <map>

#include "model/process_trace.h"
#include "read/record_block.h"
#include "read/recorded_state.h"

namespace tauprof {

class RecordedOperations {
 public:
  RecordedOperations(ProcessTrace& trace, RecordedState& state) : trace_(trace), state_(state) {}

  void take(const RecordBlock& block);
  // Once all blocks are read: names the types, and adds the job's facts.
  void finish();

 private:
  uint32_t type_of(int64_t name);

  ProcessTrace& trace_;
  RecordedState& state_;
  std::map<int64_t, uint32_t> types_;  // by the log's id
  int64_t last_name_ = 0;
  uint32_t last_type_ = 0;
};

}  // namespace tauprof
