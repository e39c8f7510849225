#include "capture/device/activity_buffers.h"

namespace tauprof::capture {
namespace {

constexpr size_t kLargest = 1u << 20;
constexpr size_t kSmallest = 1u << 16;
constexpr size_t kFew = 32;

}  // namespace

// As large as CUPTI prefers, but enough of them: in older versions every launching thread fills a buffer of its own.
void ActivityBuffers::init(void* memory, size_t bytes) {
  memory_ = static_cast<uint8_t*>(memory);
  size_ = kLargest;
  while (size_ > kSmallest && bytes / size_ < kFew) size_ /= 2;
  const size_t fit = bytes / size_;
  count_ = static_cast<uint32_t>(fit < kMost ? fit : kMost);
  free_ = count_ == kMost ? ~uint64_t{0} : (uint64_t{1} << count_) - 1;
}

uint8_t* ActivityBuffers::request(size_t& size) {
  uint64_t free = __atomic_load_n(&free_, __ATOMIC_ACQUIRE);
  while (free != 0) {
    const auto index = static_cast<uint32_t>(__builtin_ctzll(free));
    if (!__atomic_compare_exchange_n(&free_, &free, free & (free - 1), true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
      continue;
    size = size_;
    return memory_ + index * size_;
  }
  size = 0;
  return nullptr;
}

void ActivityBuffers::complete(uint8_t* bytes, size_t valid) {
  // A buffer of another client that comes late is not ours to read.
  if (bytes < memory_ || bytes >= memory_ + count_ * size_) return;
  const auto index = static_cast<uint32_t>(static_cast<size_t>(bytes - memory_) / size_);
  if (valid == 0) return give_back(index);
  Completed& completed = completed_[index];
  completed.valid = valid;
  completed.next = __atomic_load_n(&newest_, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&newest_, &completed.next, index, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

// Takes the whole list and returns its oldest buffer.
uint32_t ActivityBuffers::take_list() {
  uint32_t newest = __atomic_exchange_n(&newest_, kNone, __ATOMIC_ACQUIRE);
  uint32_t oldest = kNone;
  while (newest != kNone) {
    const uint32_t next = completed_[newest].next;
    completed_[newest].next = oldest;
    oldest = newest;
    newest = next;
  }
  return oldest;
}

}  // namespace tauprof::capture
