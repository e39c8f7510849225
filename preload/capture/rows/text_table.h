// Texts that hooks meet (names of ranges and domains), numbered on the application's thread: a ring
// unit carries the number. Lock-free to look up; bounded: when it is full, what is new becomes one
// text that says so.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

class TextTable {
 public:
  static constexpr uint32_t kMost = 1u << 16;
  static constexpr size_t kLongest = 1024;  // bytes; longer texts are cut

  // From 1; 0: the empty text.
  uint32_t number_of(const char* text, size_t size);
  uint32_t number_of(const char* text);
  uint32_t number_of(const wchar_t* text);

  struct Text {
    uint32_t size;
    uint32_t hash;
    char bytes[];
  };
  // Null: no such number.
  const Text* text(uint32_t number) const;

 private:
  static constexpr uint32_t kSlots = 2 * kMost;
  static constexpr size_t kArenaBytes = 1u << 20;
  const Text* keep(const char* text, uint32_t size, uint32_t hash);
  uint32_t add(const char* text, uint32_t size, uint32_t hash);

  uint32_t* slots_;  // numbers; 0: free
  const Text** texts_;
  uint32_t count_;
  uint32_t lock_;
  char* arena_;
  size_t arena_left_;
  size_t arenas_;
};

extern TextTable text_table;

}  // namespace tauprof::capture
