// Stacks as rows of the log: one for each frame and one for each stack, which is its innermost frame and
// the stack that called it. So stacks that begin alike share their rows. The writer thread's.
//
//   main:12 > train:40 > step:7 and main:12 > train:41 are five rows: three frames that the first one has,
//   one more for train:41; and of stacks main, main > train:40, main > train:40 > step, main > train:41.
#pragma once

#include <stdint.h>

#include "capture/stacks/number_map.h"
#include "capture/stacks/stack_table.h"
#include "log/writer.h"

namespace tauprof::capture {

class StackRows {
 public:
  explicit StackRows(log::Writer& writer) : writer_(writer) {}

  // The id in the log of a stack of the table; its rows are written when it is first asked for.
  int64_t id_of(uint32_t stack);

 private:
  int64_t write_stack(uint32_t stack);
  uint32_t frame_of(StackFrame frame);
  void write_python(uint32_t id, uint32_t code, int32_t line);
  void write_native(uint32_t id, uint64_t address);

  log::Writer& writer_;
  log::RawArray<int64_t> ids_;  // by stack number; 0: not written yet
  NumberMap frames_;            // a code object with a line, or an address
  NumberMap stacks_;            // the calling stack with a frame
};

}  // namespace tauprof::capture
