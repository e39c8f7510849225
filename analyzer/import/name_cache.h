// Maps texts as the trace has them to the log's text ids. Costs one hash of the raw bytes per event; only the first
// event of a name is unescaped and interned.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "log/writer.h"

namespace tauprof::kineto {

class NameCache {
 public:
  explicit NameCache(log::Writer& writer) : writer_(writer), slots_(kFirstSlots) {}

  // The id of a JSON string; `raw`: the bytes between its quotes.
  int64_t id(std::string_view raw);

  // The id of a text that is not JSON.
  int64_t plain_id(std::string_view text) { return writer_.intern(text.data(), text.size()); }

 private:
  static constexpr size_t kFirstSlots = 1u << 10;  // powers of two
  static constexpr size_t kMostSlots = 1u << 16;
  static constexpr size_t kMaxKeptBytes = 32u << 20;
  static constexpr size_t kMaxCachedText = 64u << 10;

  struct Slot {
    uint64_t hash = 0;
    int64_t id = 0;  // 0: free
    size_t text = 0;
    uint32_t size = 0;
  };

  int64_t intern(std::string_view raw);
  void make_room();

  log::Writer& writer_;
  std::vector<Slot> slots_;
  std::vector<char> texts_;
  size_t entries_ = 0;
};

}  // namespace tauprof::kineto
