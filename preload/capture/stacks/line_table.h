// From an instruction of a Python code object to its line, by the table that the code object carries.
// CPython has had three formats; ours is a reading of each that needs no interpreter and no lock.
//
//   kIncrements (3.8, 3.9)  pairs (instruction bytes, lines): each says where the next line begins.
//                           (6, 1) (8, 2): bytes 0-5 are the first line, 6-13 one below, then two more below.
//   kRanges (3.10)          pairs (length in bytes, lines): each is one range; -128 instead of lines: has no line.
//   kLocations (3.11 on)    entries of several bytes, the first of which has its high bit set and says how many
//                           two-byte units the entry covers, and how its line is written.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

enum class LineTableFormat : uint8_t { kIncrements, kRanges, kLocations };

// The line of the instruction at `offset` bytes; 0: it has none. An offset before the first instruction
// (a frame that has not begun) gives the first line.
int32_t line_at(LineTableFormat format, const uint8_t* table, size_t size, int32_t first_line, int32_t offset);

}  // namespace tauprof::capture
