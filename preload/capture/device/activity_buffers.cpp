#include "capture/device/activity_buffers.h"

#include <stdlib.h>

namespace tauprof::capture {
namespace {

constexpr size_t kLargest = 1u << 20;
constexpr size_t kSmallest = 1u << 16;
constexpr size_t kFew = 32;
constexpr size_t kScratchSize = 1u << 15;
constexpr size_t kPage = 4096;

// A record of a kernel has up to 256 bytes; most have fewer.
constexpr size_t kRecordBytes = 256;
constexpr size_t kSmallestRecord = 32;
constexpr uint32_t kFewestRecords = 2;  // a launch and its work
constexpr uint64_t kSoonNs = 20'000'000;
constexpr uint64_t kLateNs = 80'000'000;

}  // namespace

// As large as CUPTI prefers, but enough of them: in older versions every launching thread fills a buffer of its own.
void ActivityBuffers::init(size_t bytes, bool may_refuse) {
  may_refuse_ = may_refuse;
  const size_t scratch = may_refuse ? bytes / 8 / kScratchSize : kMostScratch;
  bytes -= bytes / 8;
  size_ = kLargest;
  while (size_ > kSmallest && bytes / size_ < kFew) size_ /= 2;
  const size_t fit = bytes / size_;
  count_ = static_cast<uint32_t>(fit < kMost ? fit : kMost);
  free_ = count_ == kMost ? ~uint64_t{0} : (uint64_t{1} << count_) - 1;
  for (size_t i = 0; i < kMostScratch && i < scratch; ++i) free_scratch_[i / 64] |= uint64_t{1} << i % 64;
  records_ = kFewestRecords;
}

uint32_t ActivityBuffers::take_bit(uint64_t& bits) {
  uint64_t free = __atomic_load_n(&bits, __ATOMIC_ACQUIRE);
  while (free != 0) {
    const auto index = static_cast<uint32_t>(__builtin_ctzll(free));
    if (__atomic_compare_exchange_n(&bits, &free, free & (free - 1), true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
      return index;
  }
  return kNone;
}

uint8_t* ActivityBuffers::request(size_t& size, size_t& most_records, uint64_t now) {
  const uint64_t request = __atomic_add_fetch(&requests_, 1, __ATOMIC_RELAXED);
  if (static_cast<uint32_t>(__builtin_popcountll(__atomic_load_n(&free_, __ATOMIC_RELAXED))) == count_)
    __atomic_store_n(&waits_since_, now, __ATOMIC_RELAXED);
  most_records = 0;
  const uint32_t index = take_bit(free_);
  if (index == kNone || !allocate(index, size_)) {
    if (index != kNone) give_back(index);
    return request_scratch(size);
  }
  __atomic_store_n(&slots_[index].request, request, __ATOMIC_RELAXED);
  const uint32_t records = records_wanted(now);
  size = size_;
  if (records * kRecordBytes < size_) {
    most_records = records;
    size = (records * kRecordBytes + kPage - 1) & ~(kPage - 1);  // CUPTI clears all of it
  }
  slots_[index].room = static_cast<uint32_t>(most_records != 0 ? most_records : size / kSmallestRecord);
  return slots_[index].bytes;
}

// Requests that follow each other fast double the number of records, and late ones halve it. If half of the buffers are
// lent, work waits for long in the streams: larger buffers, for none to run out.
uint32_t ActivityBuffers::records_wanted(uint64_t now) {
  const uint64_t last = __atomic_exchange_n(&requested_at_, now, __ATOMIC_RELAXED);
  const auto all = static_cast<uint32_t>(size_ / kRecordBytes);
  uint32_t records = __atomic_load_n(&records_, __ATOMIC_RELAXED);
  const auto free = static_cast<uint32_t>(__builtin_popcountll(__atomic_load_n(&free_, __ATOMIC_RELAXED)));
  if (now < last + kSoonNs || free * 2 < count_)
    records = records * 2 < all ? records * 2 : all;
  else if (now > last + kLateNs)
    records = records / 2 > kFewestRecords ? records / 2 : kFewestRecords;
  __atomic_store_n(&records_, records, __ATOMIC_RELAXED);
  return records;
}

// If malloc() returns the address of a lent buffer, another client has freed that one.
bool ActivityBuffers::allocate(uint32_t index, size_t size) {
  Slot& slot = slots_[index];
  if (slot.bytes != nullptr) return true;
  auto* const bytes = static_cast<uint8_t*>(malloc(size));
  if (bytes == nullptr) return false;
  const uint32_t freed = find(bytes, 0, kMost + kMostScratch);
  if (freed != kNone) {
    __atomic_store_n(&slots_[freed].bytes, nullptr, __ATOMIC_RELAXED);
    __atomic_add_fetch(&freed_by_others_, 1, __ATOMIC_RELAXED);
    give_back(freed);
  }
  __atomic_store_n(&slot.bytes, bytes, __ATOMIC_RELEASE);
  return true;
}

// Where CUPTI would crash, the last resort has no slot: it is lost with its records.
uint8_t* ActivityBuffers::request_scratch(size_t& size) {
  size = kScratchSize;
  for (uint32_t first = kMost; first < kMost + kMostScratch; first += 64) {
    const uint32_t index = take_bit(free_bits(first));
    if (index != kNone && allocate(first + index, kScratchSize)) return slots_[first + index].bytes;
  }
  size = may_refuse_ ? 0 : kScratchSize;
  return may_refuse_ ? nullptr : static_cast<uint8_t*>(malloc(kScratchSize));
}

void ActivityBuffers::give_back_scratch(const uint8_t* bytes) {
  const uint32_t index = find(bytes, kMost, kMost + kMostScratch);
  if (index != kNone) give_back(index);
}

uint32_t ActivityBuffers::find(const uint8_t* bytes, uint32_t first, uint32_t end) const {
  for (uint32_t i = first; i < end; ++i)
    if (__atomic_load_n(&slots_[i].bytes, __ATOMIC_ACQUIRE) == bytes) return i;
  return kNone;
}

void ActivityBuffers::complete(uint8_t* bytes, size_t valid, uint64_t now, Forced forced) {
  // A buffer of another client that comes late is not ours to read.
  const uint32_t index = bytes == nullptr ? kNone : find(bytes, 0, kMost);
  if (index == kNone) return;
  __atomic_add_fetch(&completions_, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&waits_since_, now, __ATOMIC_RELAXED);
  if (valid == 0) return give_back(index);
  Slot& slot = slots_[index];
  slot.valid = valid;
  slot.forced = forced;
  slot.next = __atomic_load_n(&newest_, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&newest_, &slot.next, index, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

// Takes the whole list and returns its oldest buffer.
uint32_t ActivityBuffers::take_list() {
  uint32_t newest = __atomic_exchange_n(&newest_, kNone, __ATOMIC_ACQUIRE);
  uint32_t oldest = kNone;
  while (newest != kNone) {
    const uint32_t next = slots_[newest].next;
    slots_[newest].next = oldest;
    oldest = newest;
    newest = next;
  }
  return oldest;
}

bool ActivityBuffers::are_back(uint64_t requests) const {
  const uint64_t free = __atomic_load_n(&free_, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count_; ++i)
    if ((free >> i & 1) == 0 && __atomic_load_n(&slots_[i].request, __ATOMIC_RELAXED) <= requests) return false;
  return true;
}

// Buffers in the list count as lent. The writer thread, which asks, has just emptied it.
ActivityBuffers::Use ActivityBuffers::use() const {
  const uint64_t free = __atomic_load_n(&free_, __ATOMIC_RELAXED);
  Use use{};
  for (uint32_t i = 0; i < count_; ++i) {
    if ((free >> i & 1) != 0) continue;
    ++use.lent;
    use.room += slots_[i].room;
  }
  use.requests = __atomic_load_n(&requests_, __ATOMIC_RELAXED);
  use.completed = __atomic_load_n(&completions_, __ATOMIC_RELAXED);
  use.waits_since = __atomic_load_n(&waits_since_, __ATOMIC_RELAXED);
  return use;
}

}  // namespace tauprof::capture
