#include "log/text_store.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof::log {
namespace {

constexpr size_t kFirstSlots = 1024;
constexpr size_t kLargestChunk = 64 << 10;
constexpr size_t kSmallestChunk = 4 << 10;
constexpr char kTooMany[] = "(too many texts)";

}  // namespace

struct TextStore::Chunk {
  Chunk* next;
};

TextStore::~TextStore() {
  while (chunks_ != nullptr) {
    Chunk* const next = chunks_->next;
    free(chunks_);
    chunks_ = next;
  }
}

uint32_t TextStore::intern(const char* bytes, uint32_t size) {
  const auto hash = static_cast<uint32_t>(XXH3_64bits(bytes, size));
  if (const uint32_t known = find(bytes, size, hash)) return known;
  if (!may_add(size)) return too_many_ != 0 ? too_many_ : add_too_many();
  if (texts_.size() * 2 >= slots_.size() && !grow_slots()) return 0;
  const Text text{keep(bytes, size), size};
  if (text.bytes == nullptr || !texts_.append(&text, 1)) return 0;
  slots_[place(hash)] = {hash, count()};
  return count();
}

uint32_t TextStore::find(const char* bytes, uint32_t size, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash & mask; slots_.size() != 0 && slots_[slot].id != 0; slot = (slot + 1) & mask) {
    if (slots_[slot].hash != hash) continue;
    const Text& text = texts_[slots_[slot].id - 1];
    if (text.size == size && memcmp(text.bytes, bytes, size) == 0) return slots_[slot].id;
  }
  return 0;
}

// The free slot for a new text.
uint32_t TextStore::place(uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  while (slots_[slot].id != 0) slot = (slot + 1) & mask;
  return static_cast<uint32_t>(slot);
}

bool TextStore::may_add(uint32_t size) {
  if (budget_ == nullptr) return true;
  uint64_t bytes = texts_.growth(1);
  if (texts_.size() * 2 >= slots_.size())
    bytes += (slots_.size() == 0 ? kFirstSlots : slots_.size()) * sizeof(Slot);
  if (size > free_bytes_) bytes += chunk_bytes(size);
  return bytes == 0 || budget_->take(bytes);
}

uint32_t TextStore::add_too_many() {
  budget_->take_anyway(texts_.growth(1));
  const Text text{kTooMany, sizeof kTooMany - 1};
  if (!texts_.append(&text, 1)) return 0;
  return too_many_ = count();
}

bool TextStore::grow_slots() {
  RawArray<Slot> grown;
  if (!grown.assign_zeros(slots_.size() == 0 ? kFirstSlots : slots_.size() * 2)) return false;
  const size_t mask = grown.size() - 1;
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].id == 0) continue;
    size_t slot = slots_[i].hash & mask;
    while (grown[slot].id != 0) slot = (slot + 1) & mask;
    grown[slot] = slots_[i];
  }
  slots_.swap(grown);
  return true;
}

// The smaller the budget, the smaller the chunks.
size_t TextStore::chunk_bytes(uint32_t size) const {
  size_t room = kLargestChunk;
  while (budget_ != nullptr && room > kSmallestChunk && room > budget_->bound() / 64) room /= 2;
  return size > room ? size : room;
}

const char* TextStore::keep(const char* bytes, uint32_t size) {
  if (size > free_bytes_) {
    const size_t room = chunk_bytes(size);
    auto* const chunk = static_cast<Chunk*>(malloc(sizeof(Chunk) + room));
    if (chunk == nullptr) return nullptr;
    chunk->next = chunks_;
    chunks_ = chunk;
    free_ = reinterpret_cast<char*>(chunk + 1);
    free_bytes_ = room;
  }
  char* const kept = free_;
  memcpy(kept, bytes, size);
  free_ += size;
  free_bytes_ -= size;
  return kept;
}

}  // namespace tauprof::log
