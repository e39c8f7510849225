// Members of an all-pairs collective end together: on real clusters within some 100 µs, or a third of the transfer
// where that is longer. Ends further apart than this belong to different groups, or to clocks that differ.
#pragma once

#include "model/time.h"

namespace tauprof {

inline constexpr Nanoseconds kEndScatter = 200'000;
inline constexpr double kEndScatterOfTransfer = 0.5;

// Ranks are taken for one group while at most this share of their collectives do not end together.
inline constexpr double kScatteredShare = 0.1;

}  // namespace tauprof
