// Where each version of CPython keeps what a stack is made of: byte offsets into its structures.
//
// 3.8 to 3.12 never change these offsets within a minor version, so a table has them. Since 3.13 the interpreter
// publishes them: _PyRuntime starts with a table of offsets (_Py_DebugOffsets).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/stacks/line_table.h"

namespace tauprof::capture {

struct PythonLayout {
  // Thread state: the innermost frame, directly or behind a structure on the C stack (3.11, 3.12).
  uint16_t top = 0;
  int16_t top_behind = -1;  // in that structure; -1: there is none
  uint16_t thread_id = 0;   // pthread_t
  // Frame.
  uint16_t previous = 0;
  uint16_t code = 0;
  uint16_t instruction = 0;
  uint16_t owner = 0;             // one byte; 0: frames have none
  uint16_t instruction_unit = 0;  // bytes per instruction, if it is a number; 0: it is an address
  // Code object.
  uint16_t file = 0;
  uint16_t function = 0;  // the qualified name, if the version has it
  uint16_t line_table = 0;
  uint16_t first_line = 0;
  uint16_t bytecode = 0;  // in the code object itself, where instructions are addresses
  LineTableFormat format = LineTableFormat::kIncrements;
  // Text: the offset of its characters.
  uint16_t ascii_text = 0;
  uint16_t wide_text = 0;
};

// Frames that run no Python code have this owner byte or a greater one.
inline constexpr uint8_t kFirstNativeOwner = 3;
// The same in all versions, on 64-bit machines.
inline constexpr size_t kObjectType = 8;
inline constexpr size_t kTextLength = 16;
inline constexpr size_t kTextState = 32;
inline constexpr size_t kBytesLength = 16;
inline constexpr size_t kBytesContent = 32;

inline constexpr size_t kPublishedWords = 50;

// `version`: PY_VERSION_HEX; `published`: the first words of _PyRuntime, or null. False: the version is not known, or
// the build has no global interpreter lock.
bool find_python_layout(uint32_t version, const uint64_t* published, PythonLayout& layout);

}  // namespace tauprof::capture
