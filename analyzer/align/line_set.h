// The straight lines over [-1, 1] that satisfy a set of inequalities. They form a convex polygon: each of its points
// (value at -1, value at 1) is a line.
#pragma once

#include <vector>

namespace tauprof {

class LineSet {
 public:
  struct Line {
    double first = 0;  // at -1
    double last = 0;   // at 1
    double at(double position) const { return (first * (1 - position) + last * (1 + position)) / 2; }
  };

  // Only this line.
  explicit LineSet(Line line) : corners_{line} {}
  // The lines between -reach and reach whose last value exceeds the first by least_rise to most_rise.
  LineSet(double reach, double least_rise, double most_rise);

  double lowest(double position) const;
  double highest(double position) const;
  // Keeps the lines with value <= limit at `position`. False: none would remain, and the set is unchanged.
  bool keep_below(double position, double limit) { return cut(position, limit, 1); }
  bool keep_above(double position, double limit) { return cut(position, limit, -1); }
  // Whether the line is in the set, or outside of it by no more than `tolerance`.
  bool contains(const Line& line, double tolerance) const;

 private:
  bool cut(double position, double limit, double sign);

  std::vector<Line> corners_;  // counter-clockwise
};

}  // namespace tauprof
