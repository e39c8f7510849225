// Shares that mean the same wherever they are asked.
#pragma once

namespace tauprof {

// One thing explains another if it is at least this part of it: all that it leaves is no larger.
inline constexpr double kExplains = 0.5;
constexpr bool explains(auto part, auto whole) {
  return static_cast<double>(part) >= kExplains * static_cast<double>(whole);
}
// Most are more than this part of all, so that the others are fewer.
inline constexpr double kMajority = 0.5;
constexpr bool are_most(auto some, auto all) {
  return static_cast<double>(some) > kMajority * static_cast<double>(all);
}
// Who has this share of what another has is of the same kind: of 16 ranks that stall alike, 13 have that.
inline constexpr double kAsMuch = 0.5;
constexpr bool is_as_much(auto one, auto other) {
  return static_cast<double>(one) >= kAsMuch * static_cast<double>(other);
}

}  // namespace tauprof
