#include "capture/rings/ring_pool.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/base/memory_budget.h"
#include "capture/base/spin_lock.h"
#include "capture/base/ticks.h"
#include "capture/rings/ring_memory.h"

namespace tauprof::capture {

RingPool ring_pool;
uint64_t own_ticks[3];
__thread ThreadState thread_state __attribute__((tls_model("initial-exec")));

bool RingPool::start(uint64_t bytes) {
  if (!ring_memory.start(bytes)) return false;
  pthread_key_t key;
  if (pthread_key_create(&key, &RingPool::thread_ended) != 0) return false;
  key_ = key;
  const uint64_t slots = 2 * bytes / RingMemory::kPageBytes;
  most_slots_ = slots < kMostSlots ? static_cast<uint32_t>(slots) : kMostSlots;
  return true;
}

bool RingPool::attach(ThreadState& thread) {
  Slot* slot = claim();
  if (slot == nullptr) return false;
  slot->number = __atomic_add_fetch(&next_number_, 1, __ATOMIC_RELAXED);
  slot->os_id = is_quiet() ? 0 : static_cast<uint32_t>(syscall(SYS_gettid));
  if (is_quiet() || prctl(PR_GET_NAME, slot->name) != 0) *slot->name = '\0';
  slot->ring.init();
  if (thread.refused_at != 0) slot->ring.note_dropped(thread.refused_at, thread.last_end);
  thread.refused_at = 0;
  thread.ring = &slot->ring;
  slot->sampled = {pthread_self(), 0, 0};
  thread.sampled = &slot->sampled;
  pthread_setspecific(key_, slot);
  __atomic_store_n(&slot->state, Slot::kLive, __ATOMIC_RELEASE);
  return true;
}

RingPool::Slot* RingPool::claim() {
  const SpinLock lock(lock_);
  if (free_ != 0) {
    Slot& slot = slots_[free_ - 1];
    free_ = slot.next_free;
    return &slot;
  }
  if (used_ == most_slots_) return nullptr;
  memory_budget.take_anyway(sizeof(Slot));
  Slot& slot = slots_[used_];
  __atomic_store_n(&used_, used_ + 1, __ATOMIC_RELEASE);
  return &slot;
}

// Later destructors of this thread may still make CUDA calls; these take a new ring.
void RingPool::thread_ended(void* slot) {
  thread_state.ring = nullptr;
  thread_state.sampled = nullptr;
  __atomic_store_n(&static_cast<Slot*>(slot)->state, Slot::kEnded, __ATOMIC_RELEASE);
  if (ring_memory.is_short() || ring_pool.slots() > ring_pool.most_slots_ / 2) writer_doorbell.ring();
}

void RingPool::give_back(Slot& slot) {
  slot.ring.clear();
  const SpinLock lock(lock_);
  __atomic_store_n(&slot.state, Slot::kFree, __ATOMIC_RELAXED);
  slot.next_free = free_;
  free_ = static_cast<uint32_t>(&slot - slots_) + 1;
}

uint32_t RingPool::number_of(uint32_t os_id) const {
  for (uint32_t i = 0; i < slots(); ++i) {
    const uint32_t state = __atomic_load_n(&slots_[i].state, __ATOMIC_ACQUIRE);
    if ((state == Slot::kLive || state == Slot::kEnded) && slots_[i].os_id == os_id) return slots_[i].number;
  }
  return 0;
}

void RingPool::count_refused(ThreadState& thread, DropKind kind, uint64_t start) {
  if (thread.refused_at == 0) thread.refused_at = start;
  count_refused(kind);
}

uint64_t RingPool::take_refused(DropKind kind) {
  const auto number = static_cast<unsigned>(kind);
  const uint64_t refused = __atomic_load_n(&refused_[number], __ATOMIC_RELAXED);
  const uint64_t more = refused - reported_refused_[number];
  reported_refused_[number] = refused;
  return more;
}

}  // namespace tauprof::capture
