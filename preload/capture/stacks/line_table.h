// Finds the line of an instruction in the line table of its Python code object. CPython has had three formats; this
// reads each of them without the interpreter and without a lock.
//
//   kIncrements (3.8, 3.9)  pairs (instruction bytes, lines), each of which says where the next line starts.
//                           (6, 1) (8, 2): bytes 0-5 are the first line, bytes 6-13 the line after it, the rest
//                           two below.
//   kRanges (3.10)          pairs (length in bytes, lines), each of which is one range; lines -128: it has no line.
//   kLocations (since 3.11) entries of several bytes. The first byte has its high bit set and says how many
//                           two-byte units the entry covers, and how its line is encoded.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

enum class LineTableFormat : uint8_t { kIncrements, kRanges, kLocations };

// The line of the instruction at `offset` bytes; 0: it has none. An offset before the first instruction (a frame that
// has not started) gives the first line.
int32_t line_at(LineTableFormat format, const uint8_t* table, size_t size, int32_t first_line, int32_t offset);

}  // namespace tauprof::capture
