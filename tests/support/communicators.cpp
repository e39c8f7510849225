// Groups ranks by shared coordinates.
#include "communicators.h"

#include <algorithm>
#include <map>

namespace tauprof::generator {

int Communicator::index_of(int rank) const {
  return static_cast<int>(std::lower_bound(members.begin(), members.end(), rank) - members.begin());
}

// FNV-1a.
int64_t Communicator::hash() const {
  uint64_t hash = 0xCBF2'9CE4'8422'2325u;
  for (unsigned char byte : identity) hash = (hash ^ byte) * 0x100'0000'01B3u;
  return static_cast<int64_t>(hash);
}

Communicators::Communicators(const JobSpec& spec)
    : by_rank_(static_cast<size_t>(spec.ranks) * kCommunicatorRoles), ranks_per_stage_(spec.ranks / spec.pipeline) {
  std::map<std::string, int> known;
  for (int rank = 0; rank < spec.ranks; ++rank) {
    const int tensor = rank % spec.tensor_parallel;
    const int stage = rank / ranks_per_stage_;
    const int data = rank % ranks_per_stage_ / spec.tensor_parallel;
    const std::string column = "-" + std::to_string(data) + "-" + std::to_string(tensor);
    const std::string pair = spec.has_pair_communicators ? "-from-" : "";
    const auto stage_pair = [&](int from) { return pair.empty() ? pair : pair + std::to_string(from); };
    const std::string identities[kCommunicatorRoles] = {
        "data-" + std::to_string(stage) + "-" + std::to_string(tensor),
        "tensor-" + std::to_string(stage) + "-" + std::to_string(data),
        "pipeline" + stage_pair(stage - 1) + column,
        "pipeline" + stage_pair(stage) + column,
    };
    const int roles = spec.has_pair_communicators ? kCommunicatorRoles : kNextStage;
    for (int role = 0; role < roles; ++role) {
      const auto [entry, is_new] = known.emplace(identities[role], static_cast<int>(all_.size()));
      if (is_new) all_.push_back({identities[role], {}});
      all_[entry->second].members.push_back(rank);
      by_rank_[static_cast<size_t>(rank) * kCommunicatorRoles + role] = entry->second;
    }
  }
}

}  // namespace tauprof::generator
