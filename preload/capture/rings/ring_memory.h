// The memory of all rings, in pages of 4 KB. Threads borrow runs of pages and the writer thread returns them, so many
// quiet threads and a few busy ones fit into the same bound.
//
// One page always goes to whoever asks. Larger runs leave a quarter of the memory to threads that are yet to come.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/rings/recorded_unit.h"

namespace tauprof::capture {

class RingMemory {
 public:
  static constexpr size_t kPageBytes = 4096;
  static constexpr uint32_t kUnitsInPage = kPageBytes / sizeof(Unit);
  static constexpr uint32_t kMostTaken = 256;  // pages, in one run

  // Before the first record. False: there is no memory.
  bool start(uint64_t bytes);

  // A run of `pages`, a power of two, whose pages are present: a page fault in every hundredth call would cost more
  // than the recording itself. Null: there is no room.
  Unit* take(uint32_t pages);
  void give_back(Unit* units, uint32_t pages);

  // Whether more than half is free.
  bool has_plenty() const { return free() > count_ / 2; }
  // Whether less than an eighth is free, which makes it worth waking the writer thread.
  bool is_short() const { return free() < count_ / 8; }
  // Whether a run was refused since the last call of this function. For the writer thread.
  bool take_refusal() { return __atomic_exchange_n(&was_refused_, 0, __ATOMIC_RELAXED) != 0; }

 private:
  static constexpr uint32_t kWordPages = 64;
  static constexpr uint32_t kMostPages = 1u << 18;
  uint32_t free() const { return __atomic_load_n(&free_, __ATOMIC_RELAXED); }
  bool may_take(uint32_t pages) const;
  bool find_run(uint32_t pages, uint32_t& first) const;
  void mark(uint32_t first, uint32_t pages, bool is_taken);

  uint8_t* memory_;
  uint32_t count_;  // pages
  uint32_t free_;
  uint32_t lock_;
  uint32_t was_refused_;
  uint64_t taken_[kMostPages / kWordPages];  // a bit for each page
};

extern RingMemory ring_memory;

}  // namespace tauprof::capture
