// The ranges and marks that the program and its framework set, the step starts that the recorder was told to mark or
// found itself, and in which of the steps it took device times.
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
  void finish(bool keeps_order);

 private:
  void add(const log::Range& row);
  void add(const log::Mark& row);
  void add(const log::StepMark& row);
  void add(const log::RecorderStep& row);
  void add(const log::DeviceTimes& row);
  void add_framework_mark(Interval time, int64_t thread, int64_t name, int64_t payload);
  void name_framework_marks();

  struct NamedMark {
    FrameworkMark mark;  // its payload in `optimizer`
    NameId name;
  };
  ProcessTrace& trace_;
  RecordedState& state_;
  std::vector<NamedMark> marks_;
};

}  // namespace tauprof
