// Sorts large records by a key. Cheap if they are nearly in order.
//
// Logs hold sorted runs (one per thread, stream or record kind). Merging (key, index) pairs moves 24 bytes instead of
// whole records, which are moved once at the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tauprof {

// `key(record)` is comparable. Records with equal keys keep their order. `positions`: of each record, moved with it;
// null: nobody asks.
template <class Record, class Key>
void sort_by_key(Record* first, Record* end, Key&& key, uint32_t* positions = nullptr) {
  using Value = decltype(key(*first));
  struct Entry {
    Value key;
    uint32_t index;
  };
  const auto count = static_cast<size_t>(end - first);
  std::vector<size_t> runs{0};
  for (size_t i = 1; i < count; ++i)
    if (key(first[i]) < key(first[i - 1])) runs.push_back(i);
  if (runs.size() == 1) return;
  runs.push_back(count);
  std::vector<Entry> entries(count), merged(count);
  for (size_t i = 0; i < count; ++i) entries[i] = {key(first[i]), static_cast<uint32_t>(i)};
  const auto before = [](const Entry& a, const Entry& b) { return a.key < b.key; };
  while (runs.size() > 2) {
    std::vector<size_t> next{0};
    for (size_t i = 0; i + 1 < runs.size(); i += 2) {
      const size_t last = i + 2 < runs.size() ? runs[i + 2] : runs[i + 1];
      std::merge(entries.begin() + runs[i], entries.begin() + runs[i + 1], entries.begin() + runs[i + 1],
                 entries.begin() + last, merged.begin() + runs[i], before);
      next.push_back(last);
    }
    entries.swap(merged);
    runs.swap(next);
  }
  std::vector<Record> sorted;
  sorted.reserve(count);
  for (const Entry& entry : entries) sorted.push_back(first[entry.index]);
  std::copy(sorted.begin(), sorted.end(), first);
  if (positions == nullptr) return;
  std::vector<uint32_t> moved;
  moved.reserve(count);
  for (const Entry& entry : entries) moved.push_back(positions[entry.index]);
  std::copy(moved.begin(), moved.end(), positions);
}

}  // namespace tauprof
