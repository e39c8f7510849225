#include "metrics/link_model/protocol_pieces.h"

#include <cmath>
#include <limits>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using Points = std::span<const SizedTime>;

constexpr double kImpossible = std::numeric_limits<double>::infinity();

// The best cuts into a number of pieces: the last piece starts anywhere, before it are the best cuts into one less.
class Cuts {
 public:
  explicit Cuts(Points points) : points_(points) {
    for (size_t end = 0; end <= points.size(); ++end) best_.push_back(errors_of(0, end));
    starts_.emplace_back(points.size() + 1, 0);
  }

  void add_piece() {
    std::vector<double> better(points_.size() + 1, kImpossible);
    std::vector<size_t> starts(points_.size() + 1, 0);
    for (size_t end = 0; end <= points_.size(); ++end)
      for (size_t start = 0; start < end; ++start) {
        if (best_[start] == kImpossible || best_[start] >= better[end]) continue;
        const double errors = best_[start] + errors_of(start, end);
        if (errors < better[end]) better[end] = errors, starts[end] = start;
      }
    best_ = std::move(better);
    starts_.push_back(std::move(starts));
  }

  size_t pieces() const { return starts_.size(); }

  double criterion() const {
    const auto n = static_cast<double>(points_.size()), k = static_cast<double>(pieces());
    if (best_.back() == kImpossible) return kImpossible;
    return 2 * n * std::log(best_.back() / (n - 2 * k) + kTransferNoise) + (3 * k - 1) * std::log(n);
  }

  std::vector<size_t> starts() const {
    std::vector<size_t> result(pieces());
    size_t end = points_.size();
    for (size_t piece = pieces(); piece-- > 0;) end = result[piece] = starts_[piece][end];
    return result;
  }

 private:
  double errors_of(size_t start, size_t end) const {
    const Points piece = points_.subspan(start, end - start);
    return can_tell_line(piece) ? least_absolute_errors(piece) : kImpossible;
  }

  Points points_;
  std::vector<double> best_;                 // Σ |r| up to a point, with the pieces so far
  std::vector<std::vector<size_t>> starts_;  // of the last piece up to a point, by number of pieces − 1
};

}  // namespace

bool can_tell_line(Points points) {
  return points.size() >= kFewestSizes && points.back().bytes >= kLeastSpread * points.front().bytes;
}

std::vector<size_t> protocol_pieces(Points points) {
  std::vector<size_t> found{0};
  if (!can_tell_line(points)) return found;
  Cuts cuts(points);
  double least = cuts.criterion();
  while (cuts.pieces() < kMostPieces && points.size() >= (cuts.pieces() + 1) * kFewestSizes) {
    cuts.add_piece();
    if (cuts.criterion() > least - kWorthAPiece) continue;
    least = cuts.criterion();
    found = cuts.starts();
  }
  return found;
}

}  // namespace tauprof
