// Interns texts: the same bytes give the same id. Ids count from 1 in the order of first use.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/memory_budget.h"
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

  // Null: no bound.
  void use(MemoryBudget* budget) { budget_ = budget; }

  // 0: memory is short. Texts for which the budget has no room share one id, whose text says so.
  uint32_t intern(const char* bytes, uint32_t size);

  uint32_t count() const { return static_cast<uint32_t>(texts_.size()); }
  const Text* texts() const { return texts_.data(); }  // by id - 1; the bytes never move

 private:
  struct Slot {
    uint32_t hash;
    uint32_t id;  // 0: free
  };
  struct Chunk;

  uint32_t find(const char* bytes, uint32_t size, uint32_t hash) const;
  bool may_add(uint32_t size);
  uint32_t add_too_many();
  uint32_t place(uint32_t hash) const;
  bool grow_slots();
  size_t chunk_bytes(uint32_t size) const;
  const char* keep(const char* bytes, uint32_t size);

  RawArray<Text> texts_;
  RawArray<Slot> slots_;  // a power of two, at most half full
  Chunk* chunks_ = nullptr;
  char* free_ = nullptr;
  size_t free_bytes_ = 0;
  MemoryBudget* budget_ = nullptr;
  uint32_t too_many_ = 0;  // the id of all texts without room; 0: there are none
};

}  // namespace tauprof::log
