// Puts one call into its thread's ring. Every hooked call takes this path: it takes no lock, makes no system call and
// touches no memory except the ring's and the thread's own.
#pragma once

#include <stdint.h>
#include <time.h>

#include "capture/base/ticks.h"
#include "capture/rings/ring_pool.h"
#include "capture/rings/thread_state.h"

namespace tauprof::capture {

// Read the thread's CPU clock when more than this many ticks passed since its last call, or inside of one: it may have
// slept there, or waited by spinning.
extern uint64_t pause_ticks [[gnu::visibility("hidden")]];
inline constexpr uint64_t kPauseNs = 200'000;
// A call that takes this long is recorded with RareFactsUnit: its header has too few bits for its duration, or its
// stack is wanted. In ticks.
extern uint64_t long_call_ticks;
// Calls that take this long take the slow path: the least of these two, or 0 while a graph is being captured.
extern uint64_t slow_path_ticks [[gnu::visibility("hidden")]];

// Takes stacks. Set once, before the first record; null while stacks are off.
struct StackSource {
  uint32_t (*take_own)(ThreadState& thread) = nullptr;  // the number of the calling thread's stack; 0: none
  void (*note_thread)(ThreadState& thread) = nullptr;   // called once per thread, on that thread
};
extern StackSource stack_source;
// Sets the ticks above. `of_long_call`: UINT64_MAX: stacks are off.
void set_long_ticks(uint64_t of_pause, uint64_t of_long_call);

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

// Called with each call that succeeded while a graph was being captured. Set by the hook that starts captures.
extern void (*note_captured_call)(const ThreadState& thread, uint16_t function, const CallFacts& facts,
                                  const Unit* extension);

uint64_t read_thread_cpu_ns();

inline bool follows_pause(const ThreadState& thread, uint64_t start) { return start - thread.last_end > pause_ticks; }

// Reads the start of a call, and the thread's CPU clock if the call follows a pause.
inline CallTimes start_call(const ThreadState& thread) {
  CallTimes times{read_ticks(), 0, 0};
  if (follows_pause(thread, times.start)) [[unlikely]] {
    times.thread_cpu_ns = read_thread_cpu_ns();
    times.start = read_ticks();
  }
  return times;
}

// Takes a ring for the thread, at its first call. False: there is none.
bool attach_ring(ThreadState& thread);

// Notes in the ring that the thread is about to make a call that will be recorded.
[[gnu::always_inline]] inline void announce_call(ThreadState& thread, uint16_t function, const CallTimes& times) {
  if (thread.ring == nullptr) [[unlikely]]
    if (!attach_ring(thread)) return;
  thread.ring->announce(function, times.start);
}

inline void put_header(UnitHeader& header, const ThreadState& thread, uint16_t function, const CallTimes& times,
                       const CallFacts& facts, unsigned units) {
  header.start = times.start;
  header.duration = static_cast<uint32_t>(times.end - times.start);
  header.function = function;
  header.units = static_cast<uint8_t>(units);
  header.device = thread.device;
  header.stream = facts.stream;
  header.payload = facts.payload;
}

// The slow path of record_call(): the thread's first record, a full ring, a failed or long call, an allocation.
void record_rare_call(ThreadState& thread, uint16_t function, CallTimes times, CallFacts facts, int64_t result,
                      DropKind kind, const Unit* extension);

// Whether a call took less time than those of the slow path.
inline bool is_quick(uint64_t start, uint64_t end) { return end - start < slow_path_ticks; }

// The slow path of record_plain_call(). Returns the result.
int64_t record_rare_plain_call(ThreadState& thread, uint16_t function, uint64_t start, uint64_t end, int64_t result,
                               uint64_t stream, uint64_t payload);

// Records a call that has returned, of a thread that has a ring, in one unit if it can. Returns the result, so that
// callers need not keep it.
[[gnu::always_inline]] inline int64_t record_plain_call(ThreadState& thread, uint16_t function, uint64_t start,
                                                        uint64_t end, const CallFacts& facts, int64_t result) {
  Ring& ring = *thread.ring;
  if (result != 0 || !is_quick(start, end) || !ring.has_room(1)) [[unlikely]]
    return record_rare_plain_call(thread, function, start, end, result, facts.stream, facts.payload);
  thread.last_end = end;
  put_header(ring.first_unit().header, thread, function, {start, end, 0}, facts, 1);
  ring.publish(1);
  return 0;
}

// Records a call that has returned. `extension`: a second unit with more facts, or null.
[[gnu::always_inline]] inline void record_call(ThreadState& thread, uint16_t function, const CallTimes& times,
                                               const CallFacts& facts, int64_t result, DropKind kind = DropKind::kCall,
                                               const Unit* extension = nullptr) {
  thread.last_end = times.end;
  Ring* const ring = thread.ring;
  const unsigned units = extension != nullptr ? 2 : 1;
  const uint64_t rare =
      static_cast<uint64_t>(result) | times.thread_cpu_ns | facts.address | !is_quick(times.start, times.end);
  if (rare != 0 || ring == nullptr || !ring->has_room(units)) [[unlikely]]
    return record_rare_call(thread, function, times, facts, result, kind,
                            extension);  // by value, so that everything stays in registers
  put_header(ring->unit(0).header, thread, function, times, facts, units);
  if (extension != nullptr) ring->unit(1) = *extension;
  ring->publish(units);
}

}  // namespace tauprof::capture
