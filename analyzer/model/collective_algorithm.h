// The algorithms by which NCCL carries out a collective, as logs name them.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace tauprof {

enum class CollectiveAlgorithm : uint8_t {
  kUnknown,
  kRing,
  kTree,
  kCollNetDirect,
  kCollNetChain,
  kNvls,
  kNvlsTree,
  kPat,
};

inline constexpr std::string_view kAlgorithmNames[] = {"",     "ring",      "tree", "collnet_direct", "collnet_chain",
                                                       "nvls", "nvls_tree", "pat"};

inline std::string_view name_of(CollectiveAlgorithm algorithm) {
  return kAlgorithmNames[static_cast<size_t>(algorithm)];
}

// "NVLSTree", as NCCL spells it, or "nvls_tree".
inline CollectiveAlgorithm algorithm_of(std::string_view text) {
  const auto is_same = [&](std::string_view name) {
    size_t at = 0;
    for (const char letter : text) {
      if (letter == '_') continue;
      if (at < name.size() && name[at] == '_') ++at;
      const char lower = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
      if (at == name.size() || name[at++] != lower) return false;
    }
    return at == name.size();
  };
  for (size_t i = 1; i < std::size(kAlgorithmNames); ++i)
    if (is_same(kAlgorithmNames[i])) return static_cast<CollectiveAlgorithm>(i);
  return CollectiveAlgorithm::kUnknown;
}

}  // namespace tauprof
