// Sets of symbols: how many different launches a stretch has, and how alike two stretches are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tauprof {

// Counts different symbols. clear() is O(1).
class SymbolCounter {
 public:
  explicit SymbolCounter(uint32_t symbols) : seen_(symbols, 0) {}
  void clear() { ++round_; }
  // Whether the symbol is new since clear().
  bool add(uint32_t symbol) {
    if (seen_[symbol] == round_) return false;
    seen_[symbol] = round_;
    return true;
  }

 private:
  std::vector<uint32_t> seen_;
  uint32_t round_ = 1;
};

class SymbolSet {
 public:
  void add(uint32_t symbol) { symbols_.push_back(symbol); }
  void finish() {
    std::sort(symbols_.begin(), symbols_.end());
    symbols_.erase(std::unique(symbols_.begin(), symbols_.end()), symbols_.end());
  }
  size_t size() const { return symbols_.size(); }
  std::vector<uint32_t>::const_iterator begin() const { return symbols_.begin(); }
  std::vector<uint32_t>::const_iterator end() const { return symbols_.end(); }
  bool has(uint32_t symbol) const { return std::binary_search(symbols_.begin(), symbols_.end(), symbol); }
  size_t shared_with(const SymbolSet& other) const {
    size_t shared = 0;
    auto a = symbols_.begin();
    for (auto b = other.symbols_.begin(); a != symbols_.end() && b != other.symbols_.end();) {
      if (*a == *b)
        ++shared, ++a, ++b;
      else if (*a < *b)
        ++a;
      else
        ++b;
    }
    return shared;
  }
  // The Jaccard index: shared symbols over all symbols; 1 for two empty sets.
  double likeness(const SymbolSet& other) const {
    const size_t shared = shared_with(other), all = size() + other.size() - shared;
    return all == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(all);
  }

 private:
  std::vector<uint32_t> symbols_;
};

}  // namespace tauprof
