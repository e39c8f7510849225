#include "log/text_store.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof::log {
namespace {

constexpr size_t kFirstSlots = 1024;
constexpr size_t kChunkBytes = 64 << 10;

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
  if (texts_.size() * 2 >= slots_.size() && !grow_slots()) return 0;
  const auto hash = static_cast<uint32_t>(XXH3_64bits(bytes, size));
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot].id != 0; slot = (slot + 1) & mask) {
    if (slots_[slot].hash != hash) continue;
    const Text& text = texts_[slots_[slot].id - 1];
    if (text.size == size && memcmp(text.bytes, bytes, size) == 0) return slots_[slot].id;
  }
  const Text text{keep(bytes, size), size};
  if (text.bytes == nullptr || !texts_.append(&text, 1)) return 0;
  slots_[slot] = {hash, count()};
  return count();
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

const char* TextStore::keep(const char* bytes, uint32_t size) {
  if (size > free_bytes_) {
    const size_t room = size > kChunkBytes ? size : kChunkBytes;
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
