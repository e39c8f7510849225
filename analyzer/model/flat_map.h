// A map in one sorted array. It beats a tree where entries are few, or where keys mostly come in their order, as steps
// do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tauprof {

template <class Key, class Value>
class FlatMap {
 public:
  struct Entry {
    Key first;
    Value second;
  };
  using Entries = std::vector<Entry>;

  Value& operator[](const Key& key) {
    const auto at = place(key);
    return (at != entries_.end() && !(key < at->first) ? at : entries_.insert(at, {key, Value{}}))->second;
  }
  auto find(const Key& key) {
    const auto at = place(key);
    return at != entries_.end() && !(key < at->first) ? at : entries_.end();
  }
  typename Entries::const_iterator find(const Key& key) const { return const_cast<FlatMap*>(this)->find(key); }
  typename Entries::const_iterator lower_bound(const Key& key) const { return const_cast<FlatMap*>(this)->place(key); }
  bool contains(const Key& key) const { return find(key) != entries_.end(); }

  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }
  void reserve(size_t entries) { entries_.reserve(entries); }

 private:
  typename Entries::iterator place(const Key& key) {
    if (entries_.empty() || entries_.back().first < key) return entries_.end();
    if (!(key < entries_.back().first)) return entries_.end() - 1;
    return std::lower_bound(entries_.begin(), entries_.end(), key,
                            [](const Entry& entry, const Key& wanted) { return entry.first < wanted; });
  }

  Entries entries_;
};

}  // namespace tauprof
