#include "report/memory_curve.h"

#include <algorithm>
#include <utility>

namespace tauprof {
namespace {

// A chart is about 800 pixels wide, a line of the terminal 60 marks; more points show nothing more.
constexpr size_t kStretches = 64;
constexpr size_t kMostPoints = 2 * kStretches + 2;

}  // namespace

std::vector<MemoryAtStep> points_of_curve(const std::vector<MemoryAtStep>& all) {
  if (all.size() <= kMostPoints) return all;
  std::vector<MemoryAtStep> points = {all.front()};
  const size_t inner = all.size() - 2;
  for (size_t stretch = 0; stretch < kStretches; ++stretch) {
    const auto begin = all.begin() + 1 + static_cast<ptrdiff_t>(stretch * inner / kStretches);
    const auto end = all.begin() + 1 + static_cast<ptrdiff_t>((stretch + 1) * inner / kStretches);
    // Where all are equal, its first and its last.
    auto [least, most] =
        std::minmax_element(begin, end, [](const MemoryAtStep& a, const MemoryAtStep& b) { return a.bytes < b.bytes; });
    if (most < least) std::swap(least, most);
    points.push_back(*least);
    points.push_back(*most);
  }
  points.push_back(all.back());
  return points;
}

}  // namespace tauprof
