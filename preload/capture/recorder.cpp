#include "capture/recorder.h"

#include "capture/recording.h"

namespace tauprof::capture {

uint64_t pause_ticks = UINT64_MAX;
uint32_t recording_bits = 0;

uint64_t read_thread_cpu_ns() {
  timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(used.tv_nsec);
}

namespace {

bool attach_thread(ThreadState& thread, DropKind kind) {
  if (ring_pool.attach(thread)) return true;
  ring_pool.count_refused(kind);
  return false;
}

}  // namespace

[[gnu::cold]] void record_rare_call(ThreadState& thread, uint16_t function, CallTimes times, CallFacts facts,
                                    int64_t result, DropKind kind, const Unit* extension) {
  if (thread.ring == nullptr && !attach_thread(thread, kind)) return;
  const uint64_t duration = times.end - times.start;
  const bool has_rest = (static_cast<uint64_t>(result) | times.thread_cpu_ns | facts.address | duration >> 32) != 0;
  const unsigned units = 1u + (extension != nullptr) + has_rest;
  Ring& ring = *thread.ring;
  if (!ring.reserve(units, kind)) return;
  put_head(ring.unit(0).head, thread, function, times, facts, units);
  if (extension != nullptr) ring.unit(1) = *extension;
  if (has_rest)
    ring.unit(units - 1).rest = {ExtensionTag::kRest, {},           static_cast<int32_t>(result), duration,
                                 times.thread_cpu_ns, facts.address};
  ring.publish(units);
}

}  // namespace tauprof::capture
