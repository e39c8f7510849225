// The code objects that stacks have met, each with its names and its table of lines, copied when it was
// first seen: later it may be gone. Found again without a lock; bounded, what is new then has no number.
//
// A code object is known by its address and by its identity: where its name lies, its first line, the length
// and the beginning of its table of lines, the length and the end of its file's name. So one that was freed and
// whose address another has now is told apart. Addresses alone would not do: memory that was freed in one order
// is often given out again in the same, and code that is compiled in a loop then lies where its forerunner lay.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/stacks/python_layout.h"

namespace tauprof::capture {

struct CodeText {
  const char* bytes;
  uint32_t size;
};

struct PythonCode {
  uint64_t address;
  uint64_t identity;
  CodeText function;
  CodeText file;
  const uint8_t* line_table;
  uint32_t line_table_size;
  int32_t first_line;
};

// Addresses of the types that code objects, texts and bytes must have.
struct PythonTypes {
  uint64_t code, text, bytes;
};

class PythonCodes {
 public:
  static constexpr uint32_t kMost = 1u << 14;

  // False: no memory.
  bool begin(const PythonLayout& layout, const PythonTypes& types);

  // What tells the code object at the address from another that has been there or will be; 0: there is none.
  template <class Memory>
  uint64_t identity_of(Memory& memory, uint64_t address) const;

  // From 1; 0: it cannot be read, or there are too many.
  uint32_t number_of(uint64_t address, uint64_t identity);
  const PythonCode& code(uint32_t number) const { return codes_[number - 1]; }
  int32_t line_at(uint32_t number, int32_t instruction) const;

 private:
  static constexpr uint32_t kSlots = 2 * kMost;
  static constexpr size_t kArenaBytes = 1u << 20;
  static constexpr unsigned kMostArenas = 16;

  uint32_t find(uint64_t address, uint64_t identity, uint32_t& slot) const;
  uint32_t add(const PythonCode& code);
  bool read(uint64_t address, uint64_t identity, PythonCode& code);
  bool read_text(uint64_t address, CodeText& text);
  bool read_line_table(uint64_t address, PythonCode& code);
  char* reserve(size_t bytes);

  PythonLayout layout_;
  PythonTypes types_;
  size_t block_bytes_;
  PythonCode* codes_;
  uint32_t* slots_;  // numbers; 0: free
  uint32_t count_;
  uint32_t lock_;
  char* arena_;
  size_t arena_left_;
  unsigned arenas_;
};

}  // namespace tauprof::capture
