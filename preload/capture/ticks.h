// The processor's time stamp counter, and what it reads in nanoseconds of the log's clock.
//
// Hooks read ticks; the writer thread, once a cycle, reads both clocks: an anchor. A tick between two
// anchors is interpolated between them. So the conversion follows every slewing of CLOCK_MONOTONIC,
// is continuous, and is wrong by no more than an anchor is (tens of nanoseconds). Beyond the newest anchor the line
// goes on. With anchors (ticks 1000, 500 ns) and (ticks 4000, 1500 ns), tick 2500 is 1000 ns.
//
// Where the counter cannot be trusted, ticks are CLOCK_MONOTONIC nanoseconds, and everything else
// stays as it is.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/clock.h"

namespace tauprof::capture {

#if defined(__x86_64__) || defined(__aarch64__)
extern bool ticks_are_nanoseconds;  // decided by choose_tick_source(), before the first record
#else
inline constexpr bool ticks_are_nanoseconds = true;
#endif

void choose_tick_source();

inline uint64_t read_counter() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  return now_ns();
#endif
}

inline uint64_t read_ticks() { return ticks_are_nanoseconds ? now_ns() : read_counter(); }

class TickScale {
 public:
  // A new anchor; the first two are taken one millisecond apart, so that there is a slope at once.
  void begin();
  void add_anchor();

  uint64_t to_ns(uint64_t ticks) const;
  // Ticks that pass in `ns`, by the slope so far.
  uint64_t ticks_in(uint64_t ns) const;

  struct Anchor {
    uint64_t ticks;
    uint64_t ns;
  };
  const Anchor& newest() const { return anchors_[(count_ - 1) % kKept]; }

 private:
  static constexpr size_t kKept = 512;  // some seconds' worth; older ticks lie on the line from the first anchor
  void keep(Anchor anchor) { anchors_[count_++ % kKept] = anchor; }
  static uint64_t between(const Anchor& from, const Anchor& to, uint64_t ticks);
  uint64_t beyond_newest(uint64_t ticks, uint64_t oldest) const;

  Anchor first_ = {};
  Anchor anchors_[kKept] = {};
  uint64_t count_ = 0;
};

}  // namespace tauprof::capture
