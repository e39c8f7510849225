// Which elements of one sequence are which of another: what a rank does in a step, beside what its peer does.
//
// Most of it is a longest common subsequence, as in diff (Myers, "An O(ND) difference algorithm and its variations",
// 1986): of A A B A A B and A B A B, each B is paired with its own, and one A before each has no partner. What is left
// over is paired with equal elements in the order in which they come, since two threads may take turns in one way or
// another. So as many elements of a kind remain without a partner as there are more of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tauprof {

inline constexpr uint32_t kNoPartner = UINT32_MAX;

// For each element of `own` the index of its partner in `other`, or kNoPartner. Sequences that differ by more than
// kMostDifferences elements are paired by their order alone.
std::vector<uint32_t> partners_of(std::span<const uint64_t> own, std::span<const uint64_t> other);

}  // namespace tauprof
