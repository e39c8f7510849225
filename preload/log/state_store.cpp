#include "log/state_store.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof::log {

namespace {

constexpr size_t kFirstSlots = 64;

}  // namespace

void StateStore::init(uint16_t columns, uint32_t identifying, MemoryBudget* budget) {
  columns_ = columns;
  identifying_ = identifying;
  budget_ = budget;
}

StateStore::Change StateStore::put(const int64_t* row) {
  const uint64_t hash = hash_of(row);
  for (size_t slot = hash; slots_.size() != 0; ++slot) {
    slot &= slots_.size() - 1;
    if (slots_[slot] == 0) break;
    int64_t* const known = values_.data() + (slots_[slot] - 1) * columns_;
    if (!is_same_thing(known, row)) continue;
    if (memcmp(known, row, columns_ * sizeof(int64_t)) == 0) return Change::kNone;
    memcpy(known, row, columns_ * sizeof(int64_t));
    return Change::kChanged;
  }
  if (!may_add()) return Change::kNotKept;
  if (rows() * 2 >= slots_.size() && !grow_slots()) return Change::kFailed;
  if (!values_.append(row, columns_)) return Change::kFailed;
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  while (slots_[slot] != 0) slot = (slot + 1) & mask;
  slots_[slot] = static_cast<uint32_t>(rows());
  return Change::kChanged;
}

bool StateStore::may_add() const {
  if (budget_ == nullptr) return true;
  uint64_t bytes = values_.growth(columns_);
  if (rows() * 2 >= slots_.size()) bytes += (slots_.size() == 0 ? kFirstSlots : slots_.size()) * sizeof(uint32_t);
  return bytes == 0 || budget_->take(bytes);
}

uint64_t StateStore::hash_of(const int64_t* row) const {
  int64_t key[kMaxColumns];
  size_t size = 0;
  for (uint16_t column = 0; column < columns_; ++column)
    if (identifying_ >> column & 1) key[size++] = row[column];
  return XXH3_64bits(key, size * sizeof(int64_t));
}

bool StateStore::is_same_thing(const int64_t* a, const int64_t* b) const {
  for (uint16_t column = 0; column < columns_; ++column)
    if ((identifying_ >> column & 1) && a[column] != b[column]) return false;
  return true;
}

bool StateStore::grow_slots() {
  RawArray<uint32_t> grown;
  if (!grown.assign_zeros(slots_.size() == 0 ? kFirstSlots : slots_.size() * 2)) return false;
  const size_t mask = grown.size() - 1;
  for (size_t index = 0; index < rows(); ++index) {
    size_t slot = hash_of(row(index)) & mask;
    while (grown[slot] != 0) slot = (slot + 1) & mask;
    grown[slot] = static_cast<uint32_t>(index + 1);
  }
  slots_.swap(grown);
  return true;
}

}  // namespace tauprof::log
