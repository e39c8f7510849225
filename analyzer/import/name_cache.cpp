#include "import/name_cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <string>

#include "import/json_text.h"

namespace tauprof::kineto {

int64_t NameCache::id(std::string_view raw) {
  if (raw.empty()) return 0;
  if (raw.size() > kMaxCachedText) return intern(raw);
  const uint64_t hash = XXH3_64bits(raw.data(), raw.size());
  size_t position = hash % kSlots;
  for (; slots_[position].id != 0; position = (position + 1) % kSlots) {
    const Slot& slot = slots_[position];
    if (slot.hash == hash && slot.size == raw.size() && memcmp(texts_.data() + slot.text, raw.data(), raw.size()) == 0)
      return slot.id;
  }
  const int64_t id = intern(raw);
  if (entries_ == kMaxEntries || texts_.size() + raw.size() > kMaxKeptBytes) {
    forget();
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

void NameCache::forget() {
  slots_.assign(kSlots, Slot{});
  texts_.clear();
  entries_ = 0;
}

}  // namespace tauprof::kineto
