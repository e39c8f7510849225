// Maps 64-bit keys to numbers that count up from 1. For tables of the writer thread.
#pragma once

#include <stdint.h>

#include "log/raw_array.h"

namespace tauprof::capture {

// The hash of the stack tables. Its 64 bits stand for a whole stack: two stacks with the same hash count as one.
inline uint64_t mix(uint64_t hash, uint64_t word) {
  const auto product = static_cast<unsigned __int128>(hash ^ 0x9E3779B97F4A7C15) * (word ^ 0xE7037ED1A0B428DB);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

class NumberMap {
 public:
  // The key's number; a key without one gets the next, and is_new is set. 0: no memory.
  uint32_t number_of(uint64_t key, bool& is_new) {
    is_new = false;
    if (2 * count_ >= slots_.size() && !grow()) return 0;
    Slot& slot = slot_of(slots_, key);
    if (slot.number != 0) return slot.number;
    is_new = true;
    slot = {key, ++count_};
    return count_;
  }

 private:
  struct Slot {
    uint64_t key;
    uint32_t number;  // 0: free
  };

  static Slot& slot_of(log::RawArray<Slot>& slots, uint64_t key) {
    const size_t mask = slots.size() - 1;
    size_t at = mix(key, slots.size()) & mask;
    while (slots[at].number != 0 && slots[at].key != key) at = (at + 1) & mask;
    return slots[at];
  }

  bool grow() {
    constexpr size_t kFirst = 256;
    log::RawArray<Slot> grown;
    if (!grown.assign_zeros(slots_.size() == 0 ? kFirst : 2 * slots_.size())) return false;
    for (size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].number != 0) slot_of(grown, slots_[i].key) = slots_[i];
    slots_.swap(grown);
    return true;
  }

  log::RawArray<Slot> slots_;  // a power of two, at most half full
  uint32_t count_ = 0;
};

}  // namespace tauprof::capture
