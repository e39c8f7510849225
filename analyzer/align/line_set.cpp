#include "align/line_set.h"

#include <algorithm>
#include <cmath>

namespace tauprof {
namespace {

constexpr double kSameCorner = 1e-4;  // ns
constexpr double kExact = 1e-6;       // arithmetic is not: a corner on the border is inside

bool is_same(const LineSet::Line& a, const LineSet::Line& b) {
  return std::abs(a.first - b.first) < kSameCorner && std::abs(a.last - b.last) < kSameCorner;
}

// The part of a convex polygon in which `beyond`, a linear function of the line, is not positive.
template <class Beyond>
std::vector<LineSet::Line> clipped(const std::vector<LineSet::Line>& corners, Beyond&& beyond) {
  std::vector<LineSet::Line> kept;
  const auto keep = [&](const LineSet::Line& line) {
    if (kept.empty() || !is_same(kept.back(), line)) kept.push_back(line);
  };
  for (size_t i = 0; i < corners.size(); ++i) {
    const LineSet::Line &a = corners[i], &b = corners[(i + 1) % corners.size()];
    const double beyond_a = beyond(a), beyond_b = beyond(b);
    const bool keeps_a = beyond_a <= kExact, keeps_b = beyond_b <= kExact;
    if (keeps_a) keep(a);
    if (keeps_a != keeps_b) {
      const double part = beyond_a / (beyond_a - beyond_b);
      keep({a.first + part * (b.first - a.first), a.last + part * (b.last - a.last)});
    }
  }
  if (kept.size() > 1 && is_same(kept.front(), kept.back())) kept.pop_back();
  return kept;
}

}  // namespace

LineSet::LineSet(double reach, double least_rise, double most_rise)
    : corners_{{-reach, -reach}, {reach, -reach}, {reach, reach}, {-reach, reach}} {
  corners_ = clipped(corners_, [&](const Line& line) { return line.last - line.first - most_rise; });
  corners_ = clipped(corners_, [&](const Line& line) { return least_rise - (line.last - line.first); });
}

double LineSet::lowest(double position) const {
  double value = corners_.front().at(position);
  for (const Line& corner : corners_) value = std::min(value, corner.at(position));
  return value;
}

double LineSet::highest(double position) const {
  double value = corners_.front().at(position);
  for (const Line& corner : corners_) value = std::max(value, corner.at(position));
  return value;
}

bool LineSet::contains(const Line& line, double tolerance) const {
  for (size_t i = 0; i < corners_.size(); ++i) {
    const Line &a = corners_[i], &b = corners_[(i + 1) % corners_.size()];
    const double dx = b.first - a.first, dy = b.last - a.last, length = std::hypot(dx, dy);
    if (length == 0) continue;
    // How far the point lies to the right of the edge, which is outside.
    const double outside = ((line.first - a.first) * dy - (line.last - a.last) * dx) / length;
    if (outside > tolerance) return false;
  }
  return std::abs(line.first - std::clamp(line.first, lowest(-1), highest(-1))) <= tolerance &&
         std::abs(line.last - std::clamp(line.last, lowest(1), highest(1))) <= tolerance;
}

bool LineSet::cut(double position, double limit, double sign) {
  const auto beyond = [&](const Line& line) { return sign * (line.at(position) - limit); };
  if (std::all_of(corners_.begin(), corners_.end(), [&](const Line& corner) { return beyond(corner) > kExact; }))
    return false;
  corners_ = clipped(corners_, beyond);
  return true;
}

}  // namespace tauprof
