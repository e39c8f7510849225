// The straight lines over [-1, 1] that satisfy some inequalities: a convex polygon, each point (value at -1, value at
// 1) of which is a line.
#pragma once

#include <vector>

namespace tauprof {

class LineSet {
 public:
  struct Line {
    double first = 0;  // at -1
    double last = 0;   // at 1
    double at(double place) const { return (first * (1 - place) + last * (1 + place)) / 2; }
  };

  // Only this line.
  explicit LineSet(Line line) : corners_{line} {}
  // The lines between -reach and reach whose last value exceeds the first by least_rise to most_rise.
  LineSet(double reach, double least_rise, double most_rise);

  double lowest(double place) const;
  double highest(double place) const;
  // Keeps the lines with value <= limit at `place`. False: none would remain; then the set stays as it is.
  bool keep_below(double place, double limit) { return cut(place, limit, 1); }
  bool keep_above(double place, double limit) { return cut(place, limit, -1); }
  // Whether the line is in the set, or no further than `tolerance` outside any of its edges' lines.
  bool contains(const Line& line, double tolerance) const;

 private:
  bool cut(double place, double limit, double sign);

  std::vector<Line> corners_;  // counter-clockwise
};

}  // namespace tauprof
