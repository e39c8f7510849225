#include "capture/calls/communicators.h"

#include "capture/base/spin_lock.h"

namespace tauprof::capture {

Communicators communicators;

uint64_t identity_of(const void* bytes, size_t size, uint64_t seed) {
  const auto* byte = static_cast<const unsigned char*>(bytes);
  uint64_t hash = 0xCBF29CE484222325 ^ seed;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ byte[i]) * 0x100000001B3;
  hash ^= hash >> 32;
  hash *= 0x9E3779B97F4A7C15;
  hash ^= hash >> 29;
  return hash != 0 ? hash : 1;
}

Communicator* Communicators::find(const void* handle) const {
  const auto wanted = reinterpret_cast<uintptr_t>(handle);
  uint32_t at = first_slot(wanted);
  for (uint32_t probes = 0; probes < kSlots; ++probes, at = (at + 1) % kSlots) {
    const uintptr_t found = __atomic_load_n(&slots_[at].handle, __ATOMIC_ACQUIRE);
    if (found == wanted) return const_cast<Communicator*>(&all_[slots_[at].index]);
    if (found == 0) return nullptr;
  }
  return nullptr;
}

Communicator* Communicators::add(const void* handle, const Facts& facts) {
  const SpinLock lock(lock_);
  if (handle == nullptr || count_ == kMost) return nullptr;
  Communicator& added = all_[count_];
  added.number = count_ + 1;
  added.parent = facts.parent;
  added.identity = facts.identity;
  added.part = facts.part;
  added.joined_identity = facts.joined_identity;
  added.size = facts.size;
  added.rank = facts.rank;
  added.device = facts.device;
  uint32_t at = first_slot(reinterpret_cast<uintptr_t>(handle));
  while (slots_[at].handle > kForgotten && slots_[at].handle != reinterpret_cast<uintptr_t>(handle))
    at = (at + 1) % kSlots;
  slots_[at].index = count_;
  __atomic_store_n(&slots_[at].handle, reinterpret_cast<uintptr_t>(handle), __ATOMIC_RELEASE);
  __atomic_store_n(&count_, count_ + 1, __ATOMIC_RELEASE);
  changed();
  return &added;
}

void Communicators::set_size(Communicator& communicator, int32_t size, int32_t rank) {
  communicator.rank = rank;
  __atomic_store_n(&communicator.size, size, __ATOMIC_RELEASE);
  changed();
}

void Communicators::forget(const void* handle) {
  const SpinLock lock(lock_);
  const auto wanted = reinterpret_cast<uintptr_t>(handle);
  uint32_t at = first_slot(wanted);
  for (uint32_t probes = 0; probes < kSlots && slots_[at].handle != 0; ++probes, at = (at + 1) % kSlots) {
    if (slots_[at].handle != wanted) continue;
    __atomic_store_n(&slots_[at].handle, kForgotten, __ATOMIC_RELEASE);
    return;
  }
}

bool Communicators::take_expected() {
  int32_t expected = __atomic_load_n(&expected_, __ATOMIC_RELAXED);
  while (expected > 0)
    if (__atomic_compare_exchange_n(&expected_, &expected, expected - 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return true;
  return false;
}

uint64_t Communicators::count(Communicator& communicator, log::Operation operation, uint64_t group) {
  const bool is_send = operation == log::Operation::kSend;
  if (!is_send && operation != log::Operation::kReceive) return communicator.advance();
  if (group != 0) add_message(communicator, group, is_send);
  return communicator.next_sequence();
}

void Communicators::add_message(Communicator& communicator, uint64_t group, bool is_send) {
  if (communicator.open_group != group) {
    communicator.open_group = group;
    communicator.group_sends = communicator.group_receives = 0;
  }
  ++(is_send ? communicator.group_sends : communicator.group_receives);
}

void Communicators::end_group(uint64_t group) {
  const uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i) {
    Communicator& communicator = all_[i];
    if (communicator.open_group != group) continue;
    communicator.open_group = 0;
    const int32_t others = communicator.size - 1;
    if (others > 0 && communicator.group_sends >= others && communicator.group_receives >= others)
      communicator.advance();
  }
}

const Communicator* Communicators::largest() const {
  const uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  const Communicator* largest = nullptr;
  for (uint32_t i = 0; i < count; ++i)
    if (all_[i].size > 0 && (largest == nullptr || all_[i].size > largest->size)) largest = &all_[i];
  return largest;
}

void Communicators::write_rows(log::Writer& writer) {
  const uint32_t version = __atomic_load_n(&version_, __ATOMIC_ACQUIRE);
  if (version == written_version_) return;
  written_version_ = version;
  const uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i) {
    const Communicator& communicator = all_[i];
    log::Communicator row{};
    row.communicator = communicator.number;
    row.identity = static_cast<int64_t>(communicator.identity);
    row.part = static_cast<int64_t>(communicator.part);
    row.joined_identity = static_cast<int64_t>(communicator.joined_identity);
    row.size = __atomic_load_n(&communicator.size, __ATOMIC_ACQUIRE);
    row.rank = communicator.rank;
    row.device = communicator.device;
    row.parent = communicator.parent;
    writer.append(row);
  }
}

}  // namespace tauprof::capture
