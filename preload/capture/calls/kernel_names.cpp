#include "capture/calls/kernel_names.h"

#include <sys/mman.h>

#include "capture/base/spin_lock.h"
#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {

KernelNames kernel_names;

KernelNames::Table* KernelNames::make_table(size_t slots) {
  auto* table = static_cast<Table*>(map_zeros(bytes_of(slots)));
  if (table != nullptr) table->slots = slots;
  return table;
}

KernelNames::Entry* KernelNames::slot_of(Table* table, const void* key) {
  const auto hash = reinterpret_cast<uintptr_t>(key) * 0x9E3779B97F4A7C15 >> 20;
  for (size_t at = hash;; ++at) {
    Entry& entry = table->entries[at & (table->slots - 1)];
    const void* found = __atomic_load_n(&entry.key, __ATOMIC_ACQUIRE);
    if (found == key || found == nullptr) return &entry;
  }
}

// The smaller table stays mapped: another thread may be reading it, and finds nothing where its pages are gone.
bool KernelNames::grow() {
  constexpr size_t kFirstSlots = 1024;
  Table* larger = make_table(table_ == nullptr ? kFirstSlots : table_->slots * 2);
  if (larger == nullptr) return false;
  for (size_t i = 0; table_ != nullptr && i < table_->slots; ++i)
    if (table_->entries[i].key != nullptr) *slot_of(larger, table_->entries[i].key) = table_->entries[i];
  Table* const smaller = table_;
  __atomic_store_n(&table_, larger, __ATOMIC_RELEASE);
  if (smaller == nullptr || bytes_of(smaller->slots) <= kPage) return true;
  madvise(reinterpret_cast<char*>(smaller) + kPage, bytes_of(smaller->slots) - kPage, MADV_DONTNEED);
  return true;
}

void KernelNames::add(const void* key, const char* name) {
  if (key == nullptr || name == nullptr) return;
  const SpinLock lock(lock_);
  if ((table_ == nullptr || 2 * count_ >= table_->slots) && !grow()) return;
  Entry* entry = slot_of(table_, key);
  if (entry->key == nullptr) ++count_;
  __atomic_store_n(&entry->name, name, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
}

const char* KernelNames::find(const void* key) const {
  Table* table = __atomic_load_n(&table_, __ATOMIC_ACQUIRE);
  if (table == nullptr || key == nullptr) return nullptr;
  const Entry* entry = slot_of(table, key);
  return __atomic_load_n(&entry->key, __ATOMIC_ACQUIRE) == key ? entry->name : nullptr;
}

}  // namespace tauprof::capture
