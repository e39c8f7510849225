#include "capture/rings/ring_pool.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/base/spin_lock.h"

namespace tauprof::capture {

RingPool ring_pool;
__thread ThreadState thread_state __attribute__((tls_model("initial-exec")));

namespace {

constexpr size_t kHeaderBytes = 4096;
constexpr size_t kLargestRing = (1u << 20) + kHeaderBytes;
constexpr size_t kSmallestRing = (1u << 16) + kHeaderBytes;

// An eighth of what is left, so that there is some for many threads.
size_t next_ring_bytes(uint64_t room) {
  size_t units = kLargestRing - kHeaderBytes;
  while (units + kHeaderBytes > room / 8 && units + kHeaderBytes > kSmallestRing) units /= 2;
  return units + kHeaderBytes;
}

}  // namespace

bool RingPool::start(uint64_t bytes) {
  room_ = bytes;
  pthread_key_t key;
  if (pthread_key_create(&key, &RingPool::thread_ended) != 0) return false;
  key_ = key;
  return true;
}

bool RingPool::attach(ThreadState& thread) {
  Slot* slot = claim();
  if (slot == nullptr) return false;
  slot->number = __atomic_add_fetch(&next_number_, 1, __ATOMIC_RELAXED);
  slot->os_id = static_cast<uint32_t>(syscall(SYS_gettid));
  thread.ring = slot->ring;
  slot->sampled = {pthread_self(), 0, 0};
  thread.sampled = &slot->sampled;
  pthread_setspecific(key_, slot);
  __atomic_store_n(&slot->state, Slot::kLive, __ATOMIC_RELEASE);
  return true;
}

RingPool::Slot* RingPool::claim() {
  const SpinLock lock(lock_);
  Slot* slot = claim_free();
  return slot != nullptr ? slot : claim_new();
}

RingPool::Slot* RingPool::claim_free() {
  for (uint32_t i = 0; i < used_; ++i) {
    Slot& slot = slots_[i];
    uint32_t expected = Slot::kFree;
    if (__atomic_compare_exchange_n(&slot.state, &expected, Slot::kTaken, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return &slot;
  }
  return nullptr;
}

RingPool::Slot* RingPool::claim_new() {
  const size_t bytes = next_ring_bytes(room_);
  if (used_ == kMostSlots || bytes > room_) return nullptr;
  // Populated at once: a page fault in every hundredth call would cost more than the recording itself.
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  room_ -= bytes;
  Slot& slot = slots_[used_];
  slot.ring = static_cast<Ring*>(memory);
  slot.ring->init(bytes);
  slot.state = Slot::kTaken;
  __atomic_store_n(&used_, used_ + 1, __ATOMIC_RELEASE);
  return &slot;
}

// Later destructors of this thread may still make CUDA calls; these take a new ring.
void RingPool::thread_ended(void* slot) {
  thread_state.ring = nullptr;
  thread_state.sampled = nullptr;
  __atomic_store_n(&static_cast<Slot*>(slot)->state, Slot::kEnded, __ATOMIC_RELEASE);
}

uint32_t RingPool::number_of(uint32_t os_id) const {
  for (uint32_t i = 0; i < slots(); ++i) {
    const uint32_t state = __atomic_load_n(&slots_[i].state, __ATOMIC_ACQUIRE);
    if ((state == Slot::kLive || state == Slot::kEnded) && slots_[i].os_id == os_id) return slots_[i].number;
  }
  return 0;
}

void RingPool::count_refused(DropKind kind) {
  __atomic_add_fetch(&refused_[static_cast<unsigned>(kind)], 1, __ATOMIC_RELAXED);
}

uint64_t RingPool::take_refused(DropKind kind) {
  const auto number = static_cast<unsigned>(kind);
  const uint64_t refused = __atomic_load_n(&refused_[number], __ATOMIC_RELAXED);
  const uint64_t more = refused - reported_refused_[number];
  reported_refused_[number] = refused;
  return more;
}

}  // namespace tauprof::capture
