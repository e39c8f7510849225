#include "replay/alignment.h"

#include <unordered_map>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// Sequences as a grid: a path from (0, 0) to their ends goes right for an element of `own` alone, down for one of
// `other` alone, and diagonally for a pair. Diagonal k has x - y = k. reach(d, k): how far right a path with d elements
// alone comes on it.
class ShortestPath {
 public:
  ShortestPath(std::span<const uint64_t> own, std::span<const uint64_t> other)
      : own_(own),
        other_(other),
        width_(static_cast<int64_t>(own.size())),
        height_(static_cast<int64_t>(other.size())) {}

  // Pairs along the shortest path. False: it is longer than kMostDifferences.
  bool find(std::vector<uint32_t>& partners, uint32_t own_first, uint32_t other_first) {
    const auto most = std::min<int64_t>(width_ + height_, kMostDifferences);
    for (int64_t d = 0; d <= most; ++d)
      if (extend(d)) {
        take_pairs(d, partners, own_first, other_first);
        return true;
      }
    return false;
  }

 private:
  // Of d, every second diagonal from -d to d.
  int64_t& reach(int64_t d, int64_t k) { return reaches_[static_cast<size_t>(d * (d + 1) / 2 + (k + d) / 2)]; }
  bool comes_from_above(int64_t d, int64_t k) {
    return k == -d || (k != d && reach(d - 1, k - 1) < reach(d - 1, k + 1));
  }
  int64_t start(int64_t d, int64_t k) {
    if (d == 0) return 0;
    return comes_from_above(d, k) ? reach(d - 1, k + 1) : reach(d - 1, k - 1) + 1;
  }

  // Whether a path with d elements alone reaches the end.
  bool extend(int64_t d) {
    reaches_.resize(static_cast<size_t>((d + 1) * (d + 2) / 2));
    for (int64_t k = -d; k <= d; k += 2) {
      int64_t x = start(d, k);
      while (x < width_ && x - k < height_ && own_[static_cast<size_t>(x)] == other_[static_cast<size_t>(x - k)]) ++x;
      reach(d, k) = x;
      if (x >= width_ && x - k >= height_) return true;
    }
    return false;
  }

  void take_pairs(int64_t d, std::vector<uint32_t>& partners, uint32_t own_first, uint32_t other_first) {
    for (int64_t k = width_ - height_; d >= 0; --d) {
      const int64_t from = start(d, k);
      for (int64_t x = from; x < reach(d, k); ++x)
        partners[own_first + static_cast<size_t>(x)] = other_first + static_cast<uint32_t>(x - k);
      if (d > 0) k += comes_from_above(d, k) ? 1 : -1;
    }
  }

  std::span<const uint64_t> own_, other_;
  int64_t width_, height_;
  std::vector<int64_t> reaches_;
};

}  // namespace

std::vector<uint32_t> partners_of(std::span<const uint64_t> own, std::span<const uint64_t> other) {
  std::vector<uint32_t> partners(own.size(), kNoPartner);
  size_t before = 0, behind = 0;
  const size_t shorter = std::min(own.size(), other.size());
  while (before < shorter && own[before] == other[before]) ++before;
  while (behind < shorter - before && own[own.size() - 1 - behind] == other[other.size() - 1 - behind]) ++behind;
  for (size_t i = 0; i < before; ++i) partners[i] = static_cast<uint32_t>(i);
  for (size_t i = 1; i <= behind; ++i) partners[own.size() - i] = static_cast<uint32_t>(other.size() - i);
  const auto first = static_cast<uint32_t>(before);
  ShortestPath(own.subspan(before, own.size() - before - behind), other.subspan(before, other.size() - before - behind))
      .find(partners, first, first);

  std::vector<bool> is_taken(other.size(), false);
  for (const uint32_t partner : partners)
    if (partner != kNoPartner) is_taken[partner] = true;
  std::unordered_map<uint64_t, std::vector<uint32_t>> left;  // the last first
  for (size_t i = other.size(); i-- > 0;)
    if (!is_taken[i]) left[other[i]].push_back(static_cast<uint32_t>(i));
  for (size_t i = 0; i < own.size() && !left.empty(); ++i) {
    if (partners[i] != kNoPartner) continue;
    const auto equal = left.find(own[i]);
    if (equal == left.end() || equal->second.empty()) continue;
    partners[i] = equal->second.back();
    equal->second.pop_back();
  }
  return partners;
}

}  // namespace tauprof
