#include "metrics/link_model/transfer_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

struct Terms {
  double latency_ns;
  double ns_per_byte;
};

using Points = std::span<const SizedTime>;

double relative_error(const Terms& line, const SizedTime& point) {
  return 1 - (line.latency_ns + line.ns_per_byte * point.bytes) / point.time_ns;
}

// Σ |r|, or something over `enough` if it is over that.
double absolute_errors(Points points, const Terms& line, double enough) {
  double sum = 0;
  for (const SizedTime& point : points) {
    sum += std::abs(relative_error(line, point));
    if (sum > enough) break;
  }
  return sum;
}

struct RobustLine {
  Terms terms{};
  double errors = std::numeric_limits<double>::infinity();

  void consider(Points points, const Terms& line) {
    if (!(line.latency_ns >= 0 && line.ns_per_byte >= 0)) return;
    const double sum = absolute_errors(points, line, errors);
    if (sum < errors) *this = {line, sum};
  }
};

// The sum is piecewise linear in the two terms, so a line with the least sum goes through two of the points, or through
// one if a term is zero.
RobustLine robust_line(Points points) {
  RobustLine best;
  for (size_t i = 0; i < points.size(); ++i) {
    best.consider(points, {points[i].time_ns, 0});
    best.consider(points, {0, points[i].time_ns / points[i].bytes});
    for (size_t j = 0; j < i; ++j) {
      const double slope = (points[i].time_ns - points[j].time_ns) / (points[i].bytes - points[j].bytes);
      best.consider(points, {points[i].time_ns - slope * points[i].bytes, slope});
    }
  }
  return best;
}

std::vector<SizedTime> without_outliers(Points points) {
  std::vector<SizedTime> kept(points.begin(), points.end());
  if (points.size() < kFewestForOutliers) return kept;
  const Terms line = robust_line(points).terms;
  std::vector<double> errors;
  for (const SizedTime& point : points) errors.push_back(std::abs(relative_error(line, point)));
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  constexpr double kOfNormal = 1.4826;  // a normal distribution's deviation over its median distance from the mean
  const double most = 3 * std::max(kTransferNoise, kOfNormal * *middle);
  std::erase_if(kept, [&](const SizedTime& point) { return std::abs(relative_error(line, point)) > most; });
  return kept;
}

// Minimises Σ (1 − latency·u − ns_per_byte·v)² with u = 1 / time, v = bytes / time.
class LeastSquares {
 public:
  explicit LeastSquares(Points points) : points_(points) {
    for (const SizedTime& point : points) {
      const double u = 1 / point.time_ns, v = point.bytes / point.time_ns;
      u_ += u, v_ += v, uu_ += u * u, uv_ += u * v, vv_ += v * v;
    }
  }

  Terms solve() const {
    const Terms both{(u_ * vv_ - v_ * uv_) / determinant(), (v_ * uu_ - u_ * uv_) / determinant()};
    if (!(both.latency_ns >= 0)) return {0, v_ / vv_};
    if (!(both.ns_per_byte >= 0)) return {u_ / uu_, 0};
    return both;
  }

  void add_variances(const Terms& terms, TransferLine& line) const {
    double squares = 0;
    for (const SizedTime& point : points_) squares += std::pow(relative_error(terms, point), 2);
    const double freedom = points_.size() > 2 ? static_cast<double>(points_.size() - 2) : 1;
    const double variance = std::max(kTransferNoise * kTransferNoise, squares / freedom);
    const bool is_regular = determinant() > 0;
    constexpr double kNothing = std::numeric_limits<double>::infinity();
    line.latency_variance = is_regular ? variance * vv_ / determinant() : kNothing;
    line.ns_per_byte_variance = is_regular ? variance * uu_ / determinant() : kNothing;
    line.covariance = is_regular ? -variance * uv_ / determinant() : 0;
  }

 private:
  double determinant() const { return uu_ * vv_ - uv_ * uv_; }

  Points points_;
  double u_ = 0, v_ = 0, uu_ = 0, uv_ = 0, vv_ = 0;
};

void add_errors(Points points, TransferLine& line) {
  const Terms fitted{line.latency_ns, line.ns_per_byte};
  const auto n = static_cast<double>(points.size());
  double mean_logarithm = 0;
  for (const SizedTime& point : points) mean_logarithm += std::log(point.time_ns) / n;
  double squares = 0, of_mean = 0;
  for (const SizedTime& point : points) {
    const double error = std::abs(relative_error(fitted, point));
    line.mean_error += error / n;
    line.max_error = std::max(line.max_error, error);
    squares += std::pow(std::log(point.time_ns / line.at(point.bytes)), 2);
    of_mean += std::pow(std::log(point.time_ns) - mean_logarithm, 2);
  }
  line.r2 = of_mean > 0 ? 1 - squares / of_mean : 0;
}

bool is_beyond_noise(double value, double variance) {
  return value > 0 && std::sqrt(variance) <= kLargestTermError * value;
}

}  // namespace

bool TransferLine::knows_latency() const { return is_beyond_noise(latency_ns, latency_variance); }

bool TransferLine::knows_ns_per_byte() const { return is_beyond_noise(ns_per_byte, ns_per_byte_variance); }

bool TransferLine::knows_time_at(double bytes) const {
  return is_beyond_noise(at(bytes), latency_variance + bytes * (2 * covariance + bytes * ns_per_byte_variance));
}

TransferLine fit_line(Points points) {
  const std::vector<SizedTime> kept = without_outliers(points);
  const LeastSquares squares(kept);
  const Terms terms = squares.solve();
  TransferLine line;
  line.latency_ns = terms.latency_ns;
  line.ns_per_byte = terms.ns_per_byte;
  squares.add_variances(terms, line);
  add_errors(points, line);
  return line;
}

double least_absolute_errors(Points points) { return robust_line(points).errors; }

}  // namespace tauprof
