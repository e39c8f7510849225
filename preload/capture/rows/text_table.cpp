#include "capture/rows/text_table.h"

#include <string.h>

#include "capture/base/memory_budget.h"
#include "capture/base/spin_lock.h"
#include "capture/base/utf8.h"
#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {

TextTable text_table;

namespace {

// Stands for all texts that find no room.
constexpr struct {
  uint32_t size, hash;
  char bytes[17];
} kTooMany{16, 0, "(too many names)"};

uint32_t hash_of(const char* text, size_t size) {
  uint64_t hash = size * 0x9E3779B97F4A7C15;
  size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    uint64_t word;
    memcpy(&word, text + at, sizeof word);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 31;
  }
  for (; at < size; ++at) hash = (hash ^ static_cast<unsigned char>(text[at])) * 0x100000001B3;
  return static_cast<uint32_t>(hash ^ hash >> 32) | 1;  // 0 is the hash of kTooMany
}

}  // namespace

uint32_t TextTable::number_of(const char* text) {
  return text == nullptr ? 0 : number_of(text, strnlen(text, kLongest));
}

uint32_t TextTable::number_of(const wchar_t* text) {
  if (text == nullptr) return 0;
  char bytes[kLongest];
  size_t size = 0;
  for (; *text != L'\0' && size + kMostUtf8 <= sizeof bytes; ++text)
    size += put_utf8(bytes + size, static_cast<uint32_t>(*text));
  return number_of(bytes, size);
}

uint32_t TextTable::number_of(const char* text, size_t size) {
  if (size == 0) return 0;
  if (size > kLongest) size = kLongest;
  const uint32_t hash = hash_of(text, size);
  const uint32_t* slots = __atomic_load_n(&slots_, __ATOMIC_ACQUIRE);
  if (slots == nullptr) return add(text, static_cast<uint32_t>(size), hash);
  const uint32_t mask = 2 * most_ - 1;
  for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
    const uint32_t number = __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE);
    if (number == 0) return add(text, static_cast<uint32_t>(size), hash);
    const Text& known = *texts_[number - 1];
    if (known.hash == hash && known.size == size && memcmp(known.bytes, text, size) == 0) return number;
  }
}

const TextTable::Text* TextTable::text(uint32_t number) const {
  return number == 0 || number > __atomic_load_n(&count_, __ATOMIC_ACQUIRE) ? nullptr : texts_[number - 1];
}

uint32_t TextTable::add(const char* text, uint32_t size, uint32_t hash) {
  const SpinLock lock(lock_);
  if (slots_ == nullptr && !make_tables()) return 0;
  const uint32_t mask = 2 * most_ - 1;
  uint32_t at = hash & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    const Text& known = *texts_[slots_[at] - 1];
    if (known.hash == hash && known.size == size && memcmp(known.bytes, text, size) == 0) return slots_[at];
  }
  const Text* kept = count_ < most_ - 1 ? keep(text, size, hash) : nullptr;
  if (kept == nullptr && too_many_ != 0) return too_many_;
  if (kept == nullptr) {
    kept = reinterpret_cast<const Text*>(&kTooMany);
    too_many_ = count_ + 1;
  }
  texts_[count_] = kept;
  __atomic_store_n(&count_, count_ + 1, __ATOMIC_RELEASE);
  if (kept->hash == hash) __atomic_store_n(&slots_[at], count_, __ATOMIC_RELEASE);
  return count_;
}

// A sixteenth of the recorder's memory; the texts take what they need.
bool TextTable::make_tables() {
  constexpr size_t kEntryBytes = sizeof *texts_ + 2 * sizeof *slots_;
  constexpr uint32_t kFewest = 256;
  most_ = memory_budget.entries(16, kEntryBytes, kFewest, kMost);
  texts_ = static_cast<const Text**>(map_zeros(most_ * sizeof *texts_));
  auto* slots = static_cast<uint32_t*>(map_zeros(2 * most_ * sizeof *slots_));
  if (texts_ == nullptr || slots == nullptr) return false;
  memory_budget.take_anyway(most_ * kEntryBytes);
  __atomic_store_n(&slots_, slots, __ATOMIC_RELEASE);
  return true;
}

const TextTable::Text* TextTable::keep(const char* text, uint32_t size, uint32_t hash) {
  const size_t bytes = (sizeof(Text) + size + 7) & ~size_t{7};
  auto* kept = static_cast<Text*>(arena_.reserve(bytes));
  if (kept == nullptr) return nullptr;
  kept->size = size;
  kept->hash = hash;
  memcpy(kept->bytes, text, size);
  return kept;
}

}  // namespace tauprof::capture
