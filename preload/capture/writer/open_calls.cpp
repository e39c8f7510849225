#include "capture/writer/open_calls.h"

#include "capture/rings/hook_info.h"
#include "capture/rows/log_text.h"
#include "capture/stacks/call_stacks.h"

namespace tauprof::capture {

bool OpenCalls::is_in_call(uint32_t slot) const {
  Ring::AnnouncedCall call;
  return ring_pool.slot(slot).ring.announced(call) && call.start > returned_[slot];
}

uint64_t OpenCalls::oldest_launch(const TickScale& scale) const {
  uint64_t oldest = UINT64_MAX;
  const uint32_t slots = ring_pool.slots();
  for (uint32_t i = 0; i < slots; ++i) {
    Ring::AnnouncedCall call;
    if (__atomic_load_n(&ring_pool.slot(i).state, __ATOMIC_ACQUIRE) != RingPool::Slot::kLive || !is_in_call(i) ||
        !ring_pool.slot(i).ring.announced(call) || !kHookInfos[call.function].may_launch)
      continue;
    const uint64_t start = scale.to_ns(call.start);
    if (start < oldest) oldest = start;
  }
  return oldest;
}

void OpenCalls::write_rows(log::Writer& writer, StackRows& stacks, const TickScale& scale, uint64_t now, uint64_t age) {
  const uint32_t slots = ring_pool.slots();
  for (uint32_t i = 0; i < slots; ++i)
    if (__atomic_load_n(&ring_pool.slot(i).state, __ATOMIC_ACQUIRE) == RingPool::Slot::kLive)
      follow(writer, stacks, scale, i, now, age);
}

void OpenCalls::follow(log::Writer& writer, StackRows& stacks, const TickScale& scale, uint32_t slot, uint64_t now,
                       uint64_t age) {
  const RingPool::Slot& thread = ring_pool.slot(slot);
  Ring::AnnouncedCall call;
  if (!thread.ring.announced(call) || call.start <= returned_[slot]) return write_return(writer, slot, now);
  const uint64_t start = scale.to_ns(call.start);
  if (start + age > now || (reported_at_[slot] != 0 && now < reported_at_[slot] + kRepeatNs)) return;
  reported_at_[slot] = now;
  log::OpenCall row{};
  row.time = static_cast<int64_t>(now);
  row.thread = thread.number;
  row.function = intern(writer, function_name(call.function));
  row.start = static_cast<int64_t>(start);
  if (call_stacks.is_on()) row.stack = stacks.id_of(call_stacks.take_other(thread.sampled));
  writer.append(row);
}

void OpenCalls::write_return(log::Writer& writer, uint32_t slot, uint64_t now) {
  if (reported_at_[slot] == 0) return;
  reported_at_[slot] = 0;
  log::OpenCall row{};
  row.time = static_cast<int64_t>(now);
  row.thread = ring_pool.slot(slot).number;
  writer.append(row);
}

void OpenCalls::thread_ended(log::Writer& writer, uint32_t slot, uint64_t now) { write_return(writer, slot, now); }

}  // namespace tauprof::capture
