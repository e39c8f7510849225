// By how much kernels are slower beside communication: least squares over kernels that were beside it.
//
// A kernel of speed 1 runs at 1 − κ beside communication, with one κ while data is moved and one while members still
// wait for each other. Of a kernel that takes d₀ away from communication and took d, a share f_move of it beside
// communication that moved data and f_wait beside such that waited,
//
//   1 − d₀ / d = κ_move · f_move + κ_wait · f_wait
//
// Example: a kernel takes 100 µs away and 125 µs beside: κ = 0.2.
#pragma once

namespace tauprof {

// The shares of a kernel's time beside communication that moves data, and beside such that waits.
struct BesideShares {
  double moving = 0;
  double waiting = 0;
  double all() const { return moving + waiting; }
};

struct SpeedLoss {
  double moving = 0;  // κ
  double waiting = 0;
  double moving_error = 1;  // their standard deviations
  double waiting_error = 1;
};

class SpeedLossFit {
 public:
  // `loss`: 1 − d₀ / d.
  void add(BesideShares beside, double loss, double weight);
  void add(const SpeedLossFit& other);
  SpeedLoss loss() const;
  double weight() const { return weight_; }
  // A loss applied to these kernels, on average, and how much more they really lost.
  double average(const SpeedLoss& loss) const { return (loss.moving * m_ + loss.waiting * w_) / weight_; }
  double more_than(const SpeedLoss& loss) const { return y_ / weight_ - average(loss); }

 private:
  double weight_ = 0, m_ = 0, w_ = 0, y_ = 0;                   // sums, weighted
  double mm_ = 0, ww_ = 0, mw_ = 0, my_ = 0, wy_ = 0, yy_ = 0;  // the same of products
  double count_ = 0;
};

}  // namespace tauprof
