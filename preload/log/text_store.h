// Interns texts: the same bytes give the same id. Ids count from 1 in the order of first use.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/raw_array.h"

namespace tauprof::log {

struct Text {
  const char* bytes;
  uint32_t size;
};

class TextStore {
 public:
  TextStore() = default;
  ~TextStore();
  TextStore(const TextStore&) = delete;
  TextStore& operator=(const TextStore&) = delete;

  // 0: memory is short.
  uint32_t intern(const char* bytes, uint32_t size);

  uint32_t count() const { return static_cast<uint32_t>(texts_.size()); }
  const Text* texts() const { return texts_.data(); }  // by id - 1; the bytes never move

 private:
  struct Slot {
    uint32_t hash;
    uint32_t id;  // 0: free
  };
  struct Chunk;

  bool grow_slots();
  const char* keep(const char* bytes, uint32_t size);

  RawArray<Text> texts_;
  RawArray<Slot> slots_;  // a power of two, at most half full
  Chunk* chunks_ = nullptr;
  char* free_ = nullptr;
  size_t free_bytes_ = 0;
};

}  // namespace tauprof::log
