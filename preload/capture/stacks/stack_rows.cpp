#include "capture/stacks/stack_rows.h"

#include "capture/rows/log_text.h"
#include "capture/stacks/call_stacks.h"
#include "capture/stacks/loaded_modules.h"

namespace tauprof::capture {

int64_t StackRows::id_of(uint32_t stack) {
  if (stack == 0) return 0;
  if (ids_.size() == 0 && !ids_.assign_zeros(StackTable::kMost + 1)) return 0;
  int64_t& id = ids_[stack];
  if (id == 0) id = write_stack(stack);
  return id;
}

int64_t StackRows::write_stack(uint32_t stack) {
  const StackTable::Stack& taken = call_stacks.table().stack(stack);
  uint32_t id = 0;
  for (uint32_t i = taken.count; i-- > 0;) {
    const uint32_t frame = frame_of(taken.frames[i]), caller = id;
    bool is_new;
    id = stacks_.number_of(static_cast<uint64_t>(caller) << 32 | frame, is_new);
    if (!is_new) continue;
    log::Stack row{};
    row.stack = id;
    row.frame = frame;
    row.caller = caller;
    writer_.append(row);
  }
  return id;
}

uint32_t StackRows::frame_of(StackFrame frame) {
  bool is_new;
  if (!(frame & kPythonFrame)) {
    const uint32_t id = frames_.number_of(frame, is_new);
    if (is_new) write_native(id, frame);
    return id;
  }
  const uint32_t code = code_of(frame);
  const int32_t line = call_stacks.codes().line_at(code, instruction_of(frame));
  const uint32_t id = frames_.number_of(python_frame(code, line), is_new);
  if (is_new) write_python(id, code, line);
  return id;
}

void StackRows::write_python(uint32_t id, uint32_t code, int32_t line) {
  const PythonCode& known = call_stacks.codes().code(code);
  log::Frame row{};
  row.frame = id;
  row.language = static_cast<int64_t>(log::FrameLanguage::kPython);
  row.function = writer_.intern(known.function.bytes, known.function.size);
  row.file = writer_.intern(known.file.bytes, known.file.size);
  row.line = line;
  writer_.append(row);
}

// The address before the return address lies in the call instruction.
void StackRows::write_native(uint32_t id, uint64_t address) {
  log::Frame row{};
  row.frame = id;
  row.language = static_cast<int64_t>(log::FrameLanguage::kNative);
  row.offset = static_cast<int64_t>(address - 1);
  LoadedModule module;
  if (find_module(address - 1, module)) {
    row.module = intern(writer_, module.path);
    row.offset -= static_cast<int64_t>(module.base);
    writer_.append(log::Module{row.module, intern(writer_, module.build_id)});
  }
  writer_.append(row);
}

}  // namespace tauprof::capture
