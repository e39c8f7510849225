#include "metrics/stragglers/charges.h"

#include <algorithm>

namespace tauprof {

std::vector<Charge>& Charges::take_largest(size_t most) {
  by_size_.clear();
  double all = 0, kept = 0;
  for (uint32_t i = 0; i < charges_.size(); ++i) {
    if (charges_[i].rank == kNoIndex) continue;
    by_size_.emplace_back(charges_[i].time.ns, i);
    all += charges_[i].time.ns;
  }
  const bool drops = by_size_.size() > most;
  if (drops) {
    std::nth_element(by_size_.begin(), by_size_.begin() + static_cast<std::ptrdiff_t>(most), by_size_.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    by_size_.resize(most);
    for (const auto& [ns, place] : by_size_) kept += ns;
  }
  largest_.clear();
  for (const auto& [ns, place] : by_size_) {
    largest_.push_back(std::move(charges_[place]));
    if (drops) largest_.back().time.scale(kept > 0 ? all / kept : 1);
  }
  std::sort(largest_.begin(), largest_.end(),
            [](const Charge& a, const Charge& b) { return std::pair(a.rank, a.cause) < std::pair(b.rank, b.cause); });
  clear();
  return largest_;
}

}  // namespace tauprof
