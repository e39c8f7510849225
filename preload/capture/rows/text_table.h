// Numbers the texts that hooks see (names of ranges and domains), so that a ring unit can carry the number. Lookups
// take no lock. The table is bounded: when it is full, all new texts share one number, whose text says so.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/base/arena.h"

namespace tauprof::capture {

class TextTable {
 public:
  static constexpr uint32_t kMost = 1u << 16;
  static constexpr size_t kLongest = 1024;  // bytes; longer texts are truncated

  // Numbers start at 1; 0 is the empty text.
  uint32_t number_of(const char* text, size_t size);
  uint32_t number_of(const char* text);
  uint32_t number_of(const wchar_t* text);

  struct Text {
    uint32_t size;
    uint32_t hash;
    char bytes[];
  };
  // Null: there is no such number.
  const Text* text(uint32_t number) const;

 private:
  bool make_tables();
  const Text* keep(const char* text, uint32_t size, uint32_t hash);
  uint32_t add(const char* text, uint32_t size, uint32_t hash);

  uint32_t most_;    // a power of two, up to kMost
  uint32_t* slots_;  // twice as many; numbers; 0: free
  const Text** texts_;
  uint32_t count_;
  uint32_t too_many_;  // the number of all texts that find no room; 0: all have found it
  uint32_t lock_;
  Arena<8u << 20> arena_;
};

extern TextTable text_table;

}  // namespace tauprof::capture
