#include "capture/rings/ring_memory.h"

#include <sys/mman.h>

#include "capture/base/quiet.h"
#include "capture/base/spin_lock.h"
#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {
namespace {

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

void make_present(uint8_t* memory, size_t bytes) {
  if (bytes > RingMemory::kPageBytes && !is_quiet() && madvise(memory, bytes, MADV_POPULATE_WRITE) == 0) return;
  for (size_t at = 0; at < bytes; at += RingMemory::kPageBytes) __atomic_store_n(memory + at, 0, __ATOMIC_RELAXED);
}

// The bits of a run within one word.
uint64_t bits_of(uint32_t pages) { return pages >= 64 ? ~uint64_t{0} : (uint64_t{1} << pages) - 1; }

}  // namespace

constinit RingMemory ring_memory;

bool RingMemory::start(uint64_t bytes) {
  const uint64_t pages = bytes / kPageBytes;
  count_ = static_cast<uint32_t>(pages < kMostPages ? pages : kMostPages);
  memory_ = static_cast<uint8_t*>(map_zeros(count_ * kPageBytes));
  if (memory_ == nullptr) return false;
  madvise(memory_, count_ * kPageBytes, MADV_NOHUGEPAGE);  // only pages that are lent count
  __atomic_store_n(&free_, count_, __ATOMIC_RELAXED);
  return true;
}

bool RingMemory::may_take(uint32_t pages) const {
  const uint32_t kept = pages == 1 ? 0 : count_ / 4;
  return free() >= pages + kept;
}

Unit* RingMemory::take(uint32_t pages) {
  uint32_t first = 0;
  bool is_found = false;
  if (may_take(pages)) {
    const SpinLock lock(lock_);
    is_found = may_take(pages) && find_run(pages, first);
    if (is_found) mark(first, pages, true);
  }
  if (!is_found) {
    __atomic_store_n(&was_refused_, 1, __ATOMIC_RELAXED);
    return nullptr;
  }
  uint8_t* const run = memory_ + first * kPageBytes;
  make_present(run, pages * kPageBytes);
  return reinterpret_cast<Unit*>(run);
}

void RingMemory::give_back(Unit* units, uint32_t pages) {
  const SpinLock lock(lock_);
  mark(static_cast<uint32_t>((reinterpret_cast<uint8_t*>(units) - memory_) / kPageBytes), pages, false);
}

// Runs start at multiples of their length, so returned pages join again to longer runs.
bool RingMemory::find_run(uint32_t pages, uint32_t& first) const {
  const uint64_t bits = bits_of(pages);
  for (first = 0; first + pages <= count_; first += pages) {
    const uint64_t word = taken_[first / kWordPages];
    if (word == ~uint64_t{0} && pages < kWordPages) {
      first = first / kWordPages * kWordPages + kWordPages - pages;
      continue;
    }
    bool is_free = (word >> first % kWordPages & bits) == 0;
    for (uint32_t at = kWordPages; is_free && at < pages; at += kWordPages)
      is_free = taken_[(first + at) / kWordPages] == 0;
    if (is_free) return true;
  }
  return false;
}

void RingMemory::mark(uint32_t first, uint32_t pages, bool is_taken) {
  const uint64_t bits = bits_of(pages);
  for (uint32_t at = first; at < first + pages; at += kWordPages) {
    uint64_t& word = taken_[at / kWordPages];
    word = is_taken ? word | bits << at % kWordPages : word & ~(bits << at % kWordPages);
  }
  __atomic_store_n(&free_, is_taken ? free() - pages : free() + pages, __ATOMIC_RELAXED);
}

}  // namespace tauprof::capture
