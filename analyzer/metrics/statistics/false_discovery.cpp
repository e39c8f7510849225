#include "metrics/statistics/false_discovery.h"

#include <algorithm>
#include <numeric>

namespace tauprof {

std::vector<double> adjusted_for_many(const std::vector<double>& p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double least = 1;
  for (size_t rank = p.size(); rank > 0; --rank) {
    const size_t which = order[rank - 1];
    least = std::min(least, p[which] * static_cast<double>(p.size()) / static_cast<double>(rank));
    adjusted[which] = least;
  }
  return adjusted;
}

}  // namespace tauprof
