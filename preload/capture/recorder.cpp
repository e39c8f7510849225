#include "capture/recorder.h"

#include "capture/recording.h"
#include "capture/stacks/call_stacks.h"

namespace tauprof::capture {

uint64_t pause_ticks = UINT64_MAX;
uint32_t long_call_ticks = UINT32_MAX;
uint32_t recording_bits = 0;

uint64_t read_thread_cpu_ns() {
  timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(used.tv_nsec);
}

[[gnu::cold]] bool attach_ring(ThreadState& thread) {
  if (!ring_pool.attach(thread)) return false;
  if (call_stacks.is_on()) call_stacks.note_thread(thread);
  return true;
}

[[gnu::cold]] void record_rare_call(ThreadState& thread, uint16_t function, CallTimes times, CallFacts facts,
                                    int64_t result, DropKind kind, const Unit* extension) {
  if (thread.ring == nullptr && !attach_ring(thread)) return ring_pool.count_refused(kind);
  const uint64_t duration = times.end - times.start;
  // Also of the call after a pause: that is where the thread came out.
  const bool has_place = call_stacks.is_on() && (duration >= long_call_ticks || times.thread_cpu_ns != 0);
  const uint32_t stack = has_place ? call_stacks.take_own(thread) : 0;
  const bool has_rest =
      (static_cast<uint64_t>(result) | times.thread_cpu_ns | facts.address | duration >> 32 | stack) != 0;
  const unsigned units = 1u + (extension != nullptr) + has_rest;
  Ring& ring = *thread.ring;
  if (!ring.reserve(units, kind)) return;
  put_head(ring.unit(0).head, thread, function, times, facts, units);
  if (extension != nullptr) ring.unit(1) = *extension;
  if (has_rest)
    ring.unit(units - 1).rest = {
        ExtensionTag::kRest,
        {static_cast<uint8_t>(stack), static_cast<uint8_t>(stack >> 8), static_cast<uint8_t>(stack >> 16)},
        static_cast<int32_t>(result),
        duration,
        times.thread_cpu_ns,
        facts.address};
  ring.publish(units);
}

}  // namespace tauprof::capture
