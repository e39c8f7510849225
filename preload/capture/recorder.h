// Puts one call into its thread's ring. This is the path that every hooked call takes: no lock, no
// system call, no memory but the ring's.
#pragma once

#include <stdint.h>
#include <time.h>

#include "capture/rings/ring_pool.h"
#include "capture/rings/thread_state.h"
#include "capture/ticks.h"

namespace tauprof::capture {

// After a longer pause between two calls the thread's CPU clock is read. In ticks.
extern uint64_t pause_ticks;
inline constexpr uint64_t kPauseNs = 200'000;
// A call that took this long is rare: its duration may not fit into its head, or its stack is wanted.
extern uint32_t long_call_ticks;

struct CallTimes {
  uint64_t start;
  uint64_t end;
  uint64_t thread_cpu_ns;  // 0: not read
};

struct CallFacts {
  uint64_t stream = 0;
  uint64_t payload = 0;
  uint64_t address = 0;
};

uint64_t read_thread_cpu_ns();

// The start of a call; reads the thread's CPU clock where a pause went before.
inline CallTimes begin_call(const ThreadState& thread) {
  CallTimes times{read_ticks(), 0, 0};
  if (times.start - thread.last_end > pause_ticks) [[unlikely]] {
    times.thread_cpu_ns = read_thread_cpu_ns();
    times.start = read_ticks();
  }
  return times;
}

// The thread's first call takes a ring for it. False: there is none.
bool attach_ring(ThreadState& thread);

// The thread is about to make a call that will be recorded.
[[gnu::always_inline]] inline void announce_call(ThreadState& thread, uint16_t function, const CallTimes& times) {
  if (thread.ring == nullptr) [[unlikely]]
    if (!attach_ring(thread)) return;
  thread.ring->announce(function, times.start);
}

// The units of a record, written one after the other.
inline void put_head(UnitHead& head, const ThreadState& thread, uint16_t function, const CallTimes& times,
                     const CallFacts& facts, unsigned units) {
  head.start = times.start;
  head.duration = static_cast<uint32_t>(times.end - times.start);
  head.function = function;
  head.units = static_cast<uint8_t>(units);
  head.device = thread.device;
  head.stream = facts.stream;
  head.payload = facts.payload;
}

// What is rare: the thread's first record, a full ring, a failure, a long call, an allocation.
void record_rare_call(ThreadState& thread, uint16_t function, CallTimes times, CallFacts facts, int64_t result,
                      DropKind kind, const Unit* extension);

// `extension`: a second unit with more facts, or null.
[[gnu::always_inline]] inline void record_call(ThreadState& thread, uint16_t function, const CallTimes& times,
                                               const CallFacts& facts, int64_t result, DropKind kind = DropKind::kCall,
                                               const Unit* extension = nullptr) {
  thread.last_end = times.end;
  Ring* const ring = thread.ring;
  const unsigned units = extension != nullptr ? 2 : 1;
  const uint64_t rare = static_cast<uint64_t>(result) | times.thread_cpu_ns | facts.address |
                        (times.end - times.start >= long_call_ticks);
  if (rare != 0 || ring == nullptr || !ring->has_room(units)) [[unlikely]]
    return record_rare_call(thread, function, times, facts, result, kind,
                            extension);  // by value: all stays in registers
  put_head(ring->unit(0).head, thread, function, times, facts, units);
  if (extension != nullptr) ring->unit(1) = *extension;
  ring->publish(units);
}

}  // namespace tauprof::capture
