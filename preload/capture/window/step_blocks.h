// Which steps are full, with device times, and which are light, with hooks alone: TAUPROF_EVERY=n/m.
//
// It follows from a step's number and the setting alone, so that all ranks of a job agree, whatever else differs
// between them. Blocks of full and of light steps take turns, a full one first, and their lengths are as n to m - n.
// The shorter block of a pair has 8 steps, of the next pair 16, then 32 and so on up to 512, as nearly as n and m
// allow: the first ones serve programs with steps of seconds, the later ones those with steps of milliseconds. Taking
// device times slows the host for a while, and switching takes time, so a block must last.
//
//     1/2    0–7 full, 8–15 light, 16–31 full, 32–47 light, 48–79 full, …
//     1/10   0–7 full, 8–79 light, 80–95 full, 96–239 light, …
//     3/4    0–23 full, 24–31 light, 32–79 full, 80–95 light, …
#pragma once

#include <stdint.h>

#include "names/setting_forms.h"

namespace tauprof::capture {

class StepBlocks {
 public:
  static constexpr uint64_t kFirst = 8, kLast = 512;

  constexpr StepBlocks() = default;
  constexpr explicit StepBlocks(StepShare share) {
    if (share.full == 0 || share.full >= share.of) return;
    const uint64_t common = common_divisor(share.full, share.of);
    full_ = share.full / common;
    light_ = share.of / common - full_;
  }

  // False: all steps are full.
  constexpr bool have_light() const { return light_ != 0; }

  constexpr bool is_full(uint64_t step) const {
    if (!have_light()) return true;
    for (uint64_t shorter = kFirst;; shorter *= 2) {
      const uint64_t unit = (shorter + least() - 1) / least();
      const uint64_t pair = unit * (full_ + light_);
      if (shorter == kLast) step %= pair;
      if (step < pair) return step < unit * full_;
      step -= pair;
    }
  }

 private:
  static constexpr uint64_t common_divisor(uint64_t a, uint64_t b) { return b == 0 ? a : common_divisor(b, a % b); }
  constexpr uint64_t least() const { return full_ < light_ ? full_ : light_; }

  uint64_t full_ = 1, light_ = 0;  // their shares, without a common divisor
};

}  // namespace tauprof::capture
