// The code objects in stacks. Each is copied with its names and its line table when it is first seen, because later it
// may be gone. Lookups take no lock. The table is bounded: once it is full, new code objects get no number.
//
// A code object is identified by its address and a hash of the address of its name, its first line, the length and the
// first bytes of its line table, and the length and the last bytes of its file name. The address alone would not do,
// because it may be reused: freed memory is often handed out again in the same order, and code that is compiled in a
// loop then lies where the code before it lay.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/base/arena.h"
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

// Addresses of the types of code objects, texts and bytes.
struct PythonTypes {
  uint64_t code, text, bytes;
};

class PythonCodes {
 public:
  static constexpr uint32_t kMost = 1u << 14;

  // False: no memory.
  bool init(const PythonLayout& layout, const PythonTypes& types);

  // A hash that distinguishes the code object at the address from others that were or will be there; 0: there is none.
  template <class Memory>
  uint64_t identity_of(Memory& memory, uint64_t address) const;

  // Numbers start at 1; 0: the code object cannot be read, or there are too many.
  uint32_t number_of(uint64_t address, uint64_t identity);
  const PythonCode& code(uint32_t number) const { return codes_[number - 1]; }
  int32_t line_at(uint32_t number, int32_t instruction) const;

 private:
  uint32_t find(uint64_t address, uint64_t identity, uint32_t& slot) const;
  uint32_t add(const PythonCode& code);
  bool read(uint64_t address, uint64_t identity, PythonCode& code);
  bool read_text(uint64_t address, CodeText& text);
  bool read_line_table(uint64_t address, PythonCode& code);

  PythonLayout layout_;
  PythonTypes types_;
  size_t block_bytes_;
  uint32_t most_;  // a power of two, up to kMost
  PythonCode* codes_;
  uint32_t* slots_;  // twice as many; numbers; 0: free
  uint32_t count_;
  uint32_t lock_;
  Arena<16u << 20> arena_;
};

}  // namespace tauprof::capture
