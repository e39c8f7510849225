#include "replay/speed_loss.h"

#include <algorithm>
#include <cmath>

namespace tauprof {

void SpeedLossFit::add(BesideShares beside, double loss, double weight) {
  weight_ += weight, m_ += weight * beside.moving, w_ += weight * beside.waiting, y_ += weight * loss;
  mm_ += weight * beside.moving * beside.moving;
  ww_ += weight * beside.waiting * beside.waiting;
  mw_ += weight * beside.moving * beside.waiting;
  my_ += weight * beside.moving * loss;
  wy_ += weight * beside.waiting * loss;
  yy_ += weight * loss * loss;
  count_ += 1;
}

void SpeedLossFit::add(const SpeedLossFit& other) {
  weight_ += other.weight_, m_ += other.m_, w_ += other.w_, y_ += other.y_;
  mm_ += other.mm_, ww_ += other.ww_, mw_ += other.mw_, my_ += other.my_, wy_ += other.wy_, yy_ += other.yy_;
  count_ += other.count_;
}

SpeedLoss SpeedLossFit::loss() const {
  constexpr double kToldApart = 1e-3;  // of the larger sum: below, waiting was hardly seen, or never apart from moving
  SpeedLoss loss;
  if (mm_ <= 0) return loss;
  const double determinant = mm_ * ww_ - mw_ * mw_;
  const bool has_both = ww_ > kToldApart * mm_ && determinant > kToldApart * mm_ * ww_;
  if (has_both) {
    loss.moving = (my_ * ww_ - wy_ * mw_) / determinant;
    loss.waiting = (wy_ * mm_ - my_ * mw_) / determinant;
  }
  // To wait takes nothing that moving data does not take as well.
  const bool is_alike = has_both && loss.waiting > loss.moving;
  const double ff = mm_ + 2 * mw_ + ww_;
  if (is_alike)
    loss.moving = loss.waiting = (my_ + wy_) / ff;
  else if (!has_both || loss.waiting < 0)
    loss.moving = my_ / mm_, loss.waiting = 0;
  if (count_ < 3) return loss;
  const double explained = loss.moving * (2 * my_ - loss.moving * mm_ - loss.waiting * mw_) +
                           loss.waiting * (2 * wy_ - loss.waiting * ww_ - loss.moving * mw_);
  const double rest = std::max(0.0, yy_ - explained) / (count_ - 2);
  loss.moving_error = std::sqrt(is_alike ? rest / ff : rest / mm_);
  if (is_alike) loss.waiting_error = loss.moving_error;
  if (has_both && !is_alike) {
    loss.moving_error = std::sqrt(rest * ww_ / determinant);
    loss.waiting_error = std::sqrt(rest * mm_ / determinant);
  }
  return loss;
}

}  // namespace tauprof
