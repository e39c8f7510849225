// How many lines the text report gives to each long table. The JSON report has the tables whole.
#pragma once

#include <cstddef>

namespace tauprof {

inline constexpr size_t kMostTableLines = 12;  // collectives, kernels, source lines
inline constexpr size_t kMostTimesLines = 24;  // operators, modules, lines
inline constexpr size_t kMostGemmLines = 6;
inline constexpr size_t kMostRankLines = 64;
inline constexpr size_t kMostInputRanks = 16;
inline constexpr size_t kMostCommunicationLines = 16;
inline constexpr size_t kMostProgressLines = 32;
inline constexpr size_t kMostListedRanks = 8;  // longer lists of ranks are folded by host
inline constexpr size_t kMostDiffRows = 5;     // of a comparison's first screen
inline constexpr size_t kMostNamedRanks = 4;   // that explain a difference
inline constexpr size_t kMostCharges = 3;      // of a wait: for whom it was
inline constexpr size_t kMostChainLinks = 3;   // from a wait to its first cause

}  // namespace tauprof
