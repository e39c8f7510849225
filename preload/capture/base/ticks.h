// The processor's time stamp counter, and its conversion to nanoseconds of the log's clock.
//
// Hooks read ticks. Once per cycle the writer thread reads both clocks: an anchor. Ticks between two anchors are
// interpolated, ticks after the newest one extrapolated. So the conversion is continuous, follows CLOCK_MONOTONIC when
// it is slewed, and is no more wrong than the anchors are (tens of nanoseconds). With anchors (ticks 1000, 500 ns) and
// (ticks 4000, 1500 ns), tick 2500 is 1000 ns.
//
// Where the counter cannot be trusted, or the clock does not advance beside it, ticks are nanoseconds of
// CLOCK_MONOTONIC; nothing else changes.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/base/clock.h"

namespace tauprof::capture {

#if defined(__x86_64__) || defined(__aarch64__)
extern bool ticks_are_nanoseconds;  // set by choose_tick_source(), before the first record
#else
inline constexpr bool ticks_are_nanoseconds = true;
#endif

// Decides whether ticks are the counter's.
void choose_tick_source();
// The counter is trusted where the kernel keeps time by it: it has watched the counter since the start. `path` is
// /sys/devices/system/clocksource/clocksource0/current_clocksource.
bool kernel_keeps_time_by_counter(const char* path);

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
  struct Anchor {
    uint64_t ticks;
    uint64_t ns;
  };

  // Takes the first two anchors, one millisecond apart, so that there is a slope at once. Where they have none (a clock
  // that stops or jumps), ticks are nanoseconds from now on.
  void start();
  // The same with these two; false if they have no slope, and then each tick is a nanosecond.
  bool start(const Anchor& first, const Anchor& second);
  void add_anchor();
  // Ignores an anchor that is too close to the newest one or before it.
  void add_anchor(const Anchor& anchor);

  uint64_t to_ns(uint64_t ticks) const;
  // The number of ticks in `ns` nanoseconds, by the slope so far.
  uint64_t ticks_in(uint64_t ns) const;

 private:
  static constexpr size_t kKept = 512;  // some seconds' worth; older ticks are interpolated from the first anchor
  const Anchor& newest() const { return anchors_[(count_ - 1) % kKept]; }
  void keep(Anchor anchor) { anchors_[count_++ % kKept] = anchor; }
  static uint64_t between(const Anchor& from, const Anchor& to, uint64_t ticks);
  uint64_t beyond_newest(uint64_t ticks, uint64_t oldest) const;

  // At least two anchors, each later than the one before by both clocks.
  Anchor first_ = {};
  Anchor anchors_[kKept] = {{0, 0}, {1, 1}};
  uint64_t count_ = 2;
};

}  // namespace tauprof::capture
