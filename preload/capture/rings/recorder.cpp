#include "capture/rings/recorder.h"

#include "capture/base/kept_errno.h"
#include "capture/rings/hook_info.h"
#include "capture/rings/recording.h"

namespace tauprof::capture {

uint64_t pause_ticks = UINT64_MAX;
uint64_t long_call_ticks = UINT32_MAX;
uint64_t slow_path_ticks = UINT32_MAX;
void (*note_captured_call)(const ThreadState&, uint16_t, const CallFacts&, const Unit*) = nullptr;
uint32_t recording_bits = 0;
StackSource stack_source;

namespace {
uint64_t usual_slow_path_ticks() { return long_call_ticks < pause_ticks ? long_call_ticks : pause_ticks; }
}  // namespace

void set_long_ticks(uint64_t of_pause, uint64_t of_long_call) {
  pause_ticks = of_pause;
  long_call_ticks = of_long_call < UINT32_MAX ? of_long_call : UINT32_MAX;
  slow_path_ticks = usual_slow_path_ticks();
}

void set_capturing(bool is_any_open) {
  __atomic_store_n(&slow_path_ticks, is_any_open ? 0 : usual_slow_path_ticks(), __ATOMIC_RELAXED);
  set_independent(kCapturing, is_any_open);
}

// For this clock, the kernel's pages in the process only ask the kernel; after a sleep, they cost as much as it does.
uint64_t read_thread_cpu_ns() {
  if (is_quiet()) return 0;
  const KeptErrno kept;
  return kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

[[gnu::cold]] bool attach_ring(ThreadState& thread) {
  const KeptErrno kept;
  if (!ring_pool.attach(thread)) return false;
  if (stack_source.note_thread != nullptr) stack_source.note_thread(thread);
  return true;
}

[[gnu::cold]] void record_rare_call(ThreadState& thread, uint16_t function, CallTimes times, CallFacts facts,
                                    int64_t result, DropKind kind, const Unit* extension) {
  const KeptErrno kept;
  const uint32_t bits = recording();
  if ((bits & kCapturing) != 0 && note_captured_call != nullptr && result == 0 && function < kRangeUnit) {
    note_captured_call(thread, function, facts, extension);
    if (kHookInfos[function].record == HookRecord::kGemm && (bits & kCategoryGemm) == 0) return;  // only read for that
  }
  if (thread.ring == nullptr && !attach_ring(thread)) return ring_pool.count_refused(thread, kind, times.start);
  const uint64_t duration = times.end - times.start;
  // A range covers calls of its own: only calls have a time that is lost, and a clock at their end.
  const bool is_call = function < kRangeUnit;
  const uint64_t end_cpu_ns = is_call && duration > pause_ticks ? read_thread_cpu_ns() : 0;
  // A call after a pause has a stack, too: it says where the thread was when it resumed.
  const bool wants_stack =
      stack_source.take_own != nullptr && (duration >= long_call_ticks || times.thread_cpu_ns != 0);
  const uint32_t stack = wants_stack ? stack_source.take_own(thread) : 0;
  const bool has_rare_facts =
      (static_cast<uint64_t>(result) | times.thread_cpu_ns | facts.address | duration >> 32 | stack) != 0;
  const unsigned units = 1u + (extension != nullptr) + has_rare_facts + (end_cpu_ns != 0);
  Ring& ring = *thread.ring;
  if (!ring.reserve(units, kind, is_call ? times.start : 0, is_call ? times.end : 0)) return;
  put_header(ring.unit(0).header, thread, function, times, facts, units);
  if (extension != nullptr) ring.unit(1) = *extension;
  if (has_rare_facts)
    ring.unit(1 + (extension != nullptr)).rare = {
        ExtensionTag::kRareFacts,
        {static_cast<uint8_t>(stack), static_cast<uint8_t>(stack >> 8), static_cast<uint8_t>(stack >> 16)},
        static_cast<int32_t>(result),
        duration,
        times.thread_cpu_ns,
        facts.address};
  if (end_cpu_ns != 0) ring.unit(units - 1).clock = {ExtensionTag::kClock, end_cpu_ns, {}};
  ring.publish(units);
}

[[gnu::cold]] int64_t record_rare_plain_call(ThreadState& thread, uint16_t function, uint64_t start, uint64_t end,
                                             int64_t result, uint64_t stream, uint64_t payload) {
  thread.last_end = end;
  record_rare_call(thread, function, {start, end, 0}, {stream, payload, 0}, result, DropKind::kCall, nullptr);
  return result;
}

}  // namespace tauprof::capture
