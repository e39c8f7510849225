#include "read/united_identities.h"

#include <utility>

namespace tauprof {
namespace {

class IdentityUnion {
 public:
  void unite(uint64_t one, uint64_t other) {
    const uint64_t kept = find(one), given_up = find(other);
    if (kept != given_up) united_[given_up] = kept, has_changed_ = true;
  }
  uint64_t find(uint64_t identity) const {
    for (auto known = united_.find(identity); known != united_.end(); known = united_.find(identity))
      identity = known->second;
    return identity;
  }
  bool take_change() { return std::exchange(has_changed_, false); }

  std::map<uint64_t, uint64_t> take() const {
    std::map<uint64_t, uint64_t> result;
    for (const auto& [identity, next] : united_) result.emplace(identity, find(next));
    return result;
  }

 private:
  std::map<uint64_t, uint64_t> united_;
  bool has_changed_ = false;
};

}  // namespace

std::map<uint64_t, uint64_t> united_identities(const std::vector<CommunicatorOrigin>& origins) {
  IdentityUnion identities;
  for (const CommunicatorOrigin& origin : origins)
    if (origin.joined_identity != 0) identities.unite(origin.identity, origin.joined_identity);
  while (identities.take_change()) {
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> parts;  // by parent and part
    for (const CommunicatorOrigin& origin : origins) {
      if (origin.part == 0 || origin.parent == 0) continue;
      const auto [first, is_new] = parts.try_emplace({identities.find(origin.parent), origin.part}, origin.identity);
      if (!is_new) identities.unite(first->second, origin.identity);
    }
  }
  return identities.take();
}

std::vector<CommunicatorOrigin> communicator_origins(const ProcessTrace& trace) {
  std::vector<CommunicatorOrigin> origins;
  for (const auto& [key, communicator] : trace.communicators) {
    if (communicator.identity == 0 || (communicator.joined_identity == 0 && communicator.part == 0)) continue;
    const auto parent = trace.communicators.find(communicator.parent);
    origins.push_back({communicator.identity, communicator.joined_identity,
                       parent != trace.communicators.end() ? parent->second.identity : 0, communicator.part});
  }
  return origins;
}

}  // namespace tauprof
