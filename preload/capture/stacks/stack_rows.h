// Writes stacks as rows: one row per frame, and one per stack, which names its innermost frame and the stack that
// called it. So stacks with the same outer frames share rows. For the writer thread.
//
//   main:12 > train:40 > step:7 and main:12 > train:41 share main:12. They have four frame rows (main:12, train:40,
//   step:7, train:41) and four stack rows (main, main > train:40, main > train:40 > step, main > train:41).
#pragma once

#include <stdint.h>

#include "capture/base/number_map.h"
#include "capture/stacks/stack_table.h"
#include "log/writer.h"

namespace tauprof::capture {

class StackRows {
 public:
  explicit StackRows(log::Writer& writer) : writer_(writer) {}

  // The log's id of a stack in the table. Writes its rows at the first request.
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
