// From when to when other profilers had CUPTI. The threads that give it and take it again write here, one after the
// other; the writer thread reads.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

class LentTimes {
 public:
  void give(uint64_t now) {
    given_[gives_ % kMost] = now;
    __atomic_store_n(&gives_, gives_ + 1, __ATOMIC_RELEASE);
  }
  // No effect if it has not been given.
  void take(uint64_t now) {
    if (takes_ == __atomic_load_n(&gives_, __ATOMIC_ACQUIRE)) return;
    taken_[takes_ % kMost] = now;
    __atomic_store_n(&takes_, takes_ + 1, __ATOMIC_RELEASE);
  }
  // How often it has been given.
  uint32_t gives() const { return __atomic_load_n(&gives_, __ATOMIC_ACQUIRE); }

  // When it was given last; 0: never.
  uint64_t latest() const {
    const uint32_t gives = __atomic_load_n(&gives_, __ATOMIC_ACQUIRE);
    return gives == 0 ? 0 : __atomic_load_n(&given_[(gives - 1) % kMost], __ATOMIC_RELAXED);
  }

  // ---- The writer thread ----
  // The next time that is over. False: there is none.
  bool next(uint64_t& start, uint64_t& end) {
    const uint32_t takes = __atomic_load_n(&takes_, __ATOMIC_ACQUIRE);
    if (takes - read_ > kMost) read_ = takes - kMost;  // changed hands faster than anybody can record
    if (takes == read_) return false;
    start = given_[read_ % kMost];
    end = taken_[read_ % kMost];
    ++read_;
    return true;
  }
  // Since when another has it; 0: nobody has.
  uint64_t open() const { return gives() == read_ ? 0 : given_[read_ % kMost]; }

 private:
  static constexpr uint32_t kMost = 16;
  uint64_t given_[kMost] = {}, taken_[kMost] = {};
  uint32_t gives_ = 0, takes_ = 0, read_ = 0;
};

}  // namespace tauprof::capture
