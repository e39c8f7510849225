#include "diff/apportion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tauprof {

std::vector<Nanoseconds> apportion(const std::vector<double>& parts, Nanoseconds total) {
  std::vector<Nanoseconds> rounded;
  std::vector<size_t> order(parts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  Nanoseconds missing = total;
  for (const double part : parts) {
    rounded.push_back(static_cast<Nanoseconds>(std::floor(part)));
    missing -= rounded.back();
  }
  const auto lost = [&](size_t i) { return parts[i] - std::floor(parts[i]); };
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) { return lost(i) > lost(j); });
  const auto count = static_cast<Nanoseconds>(parts.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const Nanoseconds left = missing - static_cast<Nanoseconds>(i);
    if (left > 0) rounded[order[i]] += (left + count - 1) / count;
  }
  return rounded;
}

}  // namespace tauprof
