// Maps correlation ids to small numbers. The ids of a process are nearly dense, so a table does; ids that are far apart
// (of imported traces, or made by the recorder) are found by binary search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace tauprof {

class CorrelationIndex {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  // `entries`: (id, value). The first value of an id counts. Id 0 means none.
  explicit CorrelationIndex(std::vector<std::pair<uint64_t, uint32_t>> entries = {}) {
    std::erase_if(entries, [](const auto& entry) { return entry.first == 0; });
    if (entries.empty()) return;
    const auto [low, high] = std::minmax_element(entries.begin(), entries.end());
    first_ = low->first;
    if (high->first - first_ < 4 * entries.size() + 1024) {
      table_.assign(high->first - first_ + 1, kNone);
      for (const auto& [id, value] : entries)
        if (table_[id - first_] == kNone) table_[id - first_] = value;
      return;
    }
    sorted_ = std::move(entries);
    std::stable_sort(sorted_.begin(), sorted_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  bool is_empty() const { return table_.empty() && sorted_.empty(); }

  uint32_t find(uint64_t id) const {
    if (id == 0) return kNone;
    if (!table_.empty()) return id - first_ < table_.size() ? table_[id - first_] : kNone;
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), id,
                                        [](const auto& entry, uint64_t value) { return entry.first < value; });
    return found != sorted_.end() && found->first == id ? found->second : kNone;
  }

 private:
  uint64_t first_ = 0;
  std::vector<uint32_t> table_;
  std::vector<std::pair<uint64_t, uint32_t>> sorted_;
};

}  // namespace tauprof
