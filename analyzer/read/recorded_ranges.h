// The ranges and marks that the program set, and the step starts that the recorder was told to mark or found itself.
#pragma once

#include "model/process_trace.h"
#include "read/record_block.h"
#include "read/recorded_state.h"

namespace tauprof {

class RecordedRanges {
 public:
  RecordedRanges(ProcessTrace& trace, RecordedState& state) : trace_(trace), state_(state) {}

  void take(const RecordBlock& block);
  // Once all blocks are read: puts them in order.
  void finish();

 private:
  void add(const log::Range& row);
  void add(const log::Mark& row);
  void add(const log::StepMark& row);
  void add(const log::RecorderStep& row);

  ProcessTrace& trace_;
  RecordedState& state_;
};

}  // namespace tauprof
