// The line time = latency + ns_per_byte × bytes through measured transfers, with the least relative errors.
//
// Relative, because times span decades: absolute errors of the largest transfers would drown the latency. With
// r = (time − line) / time, the line minimises Σ r², neither term below zero. Among enough points, those that some
// disturbance moved are left out first: a line with the least Σ |r| ignores them however far off they are, and points
// beyond three of its deviations do not count. Example: 21 sizes from 1 KB to 1 GB on one line, of which one was
// measured beside other traffic and took three times as long. Its r is 2/3, that of the others a few per cent; the line
// goes through the others, and the worst error says that one does not fit.
//
// How well the two terms are known comes from the same sums. Where one term is small at every point, nothing tells it,
// and its standard error says so.
#pragma once

#include <cstddef>
#include <span>

namespace tauprof {

struct SizedTime {
  double bytes = 0;  // over 0
  double time_ns = 0;
};

struct TransferLine {
  double latency_ns = 0;
  double ns_per_byte = 0;
  // Variances and covariance of the two terms.
  double latency_variance = 0;
  double ns_per_byte_variance = 0;
  double covariance = 0;

  double r2 = 0;  // of the logarithms of the times: relative differences, like the errors
  double mean_error = 0;
  double max_error = 0;  // of all points

  double at(double bytes) const { return latency_ns + ns_per_byte * bytes; }
  // Whether the value is more than noise (kLargestTermError).
  bool knows_latency() const;
  bool knows_ns_per_byte() const;
  bool knows_time_at(double bytes) const;
};

// At least two points.
TransferLine fit_line(std::span<const SizedTime> points);

// The least Σ |r| that a line can have.
double least_absolute_errors(std::span<const SizedTime> points);

}  // namespace tauprof
