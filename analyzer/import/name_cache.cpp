#include "import/name_cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <string>
#include <utility>

#include "import/json_text.h"

namespace tauprof::kineto {

int64_t NameCache::id(std::string_view raw) {
  if (raw.empty()) return 0;
  if (raw.size() > kMaxCachedText) return intern(raw);
  const uint64_t hash = XXH3_64bits(raw.data(), raw.size());
  size_t position = hash & (slots_.size() - 1);
  for (; slots_[position].id != 0; position = (position + 1) & (slots_.size() - 1)) {
    const Slot& slot = slots_[position];
    if (slot.hash == hash && slot.size == raw.size() && memcmp(texts_.data() + slot.text, raw.data(), raw.size()) == 0)
      return slot.id;
  }
  const int64_t id = intern(raw);
  if (2 * entries_ == slots_.size() || texts_.size() + raw.size() > kMaxKeptBytes) {
    make_room();
    return id;
  }
  slots_[position] = {hash, id, texts_.size(), static_cast<uint32_t>(raw.size())};
  texts_.insert(texts_.end(), raw.begin(), raw.end());
  ++entries_;
  return id;
}

int64_t NameCache::intern(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos) return plain_id(raw);
  return plain_id(unescape(raw));
}

// Doubles the slots, or empties the cache if that would be too many or the texts need too much memory.
void NameCache::make_room() {
  if (slots_.size() == kMostSlots || 2 * entries_ < slots_.size()) {
    slots_.assign(kFirstSlots, Slot{});
    texts_.clear();
    entries_ = 0;
    return;
  }
  std::vector<Slot> larger(2 * slots_.size());
  for (const Slot& slot : slots_) {
    if (slot.id == 0) continue;
    size_t position = slot.hash & (larger.size() - 1);
    while (larger[position].id != 0) position = (position + 1) & (larger.size() - 1);
    larger[position] = slot;
  }
  slots_ = std::move(larger);
}

}  // namespace tauprof::kineto
