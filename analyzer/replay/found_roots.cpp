#include "replay/found_roots.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "model/operation_names.h"

namespace tauprof {

void FoundRoots::look_at(size_t index, const MatchedCollective& match) {
  const Kind kind{match.has_identity, match.communicator, match.operation, match.count};
  const CollectiveMember& first = match.members.front();
  const int32_t step = ranks_[first.rank].collectives[first.collective].step;
  Count& count = counts_[kind];
  if (count.step != step) count = {step, 0};
  const auto place = place_of_[index] = {kind, count.next++};
  Place& here = places_[place];
  ++here.seen;
  const auto uncertainty = [&](const CollectiveMember& member) { return ranks_[member.rank].run_clock.uncertainty(); };
  for (const CollectiveMember& root : match.members) {
    Candidate& candidate = here.candidates[root.rank];
    bool is_refuted = false;
    for (const CollectiveMember& other : match.members) {
      if (other.rank == root.rank) continue;
      const CollectiveMember& awaited = goes_to_root(match.operation) ? other : root;
      const CollectiveMember& waiting = goes_to_root(match.operation) ? root : other;
      const Nanoseconds came = time_of_(awaited).start, bound = uncertainty(root) + uncertainty(other);
      is_refuted |= time_of_(waiting).end + bound < came;
    }
    candidate.refuted += is_refuted ? 1u : 0u;
    if (is_refuted) continue;
    Nanoseconds explained = 0;
    for (const CollectiveMember& other : match.members) {
      const Nanoseconds earlier = goes_to_root(match.operation) ? time_of_(other).start - time_of_(root).start
                                                                : time_of_(root).start - time_of_(other).start;
      explained =
          goes_to_root(match.operation) ? std::max(explained, earlier) : explained + std::max<Nanoseconds>(earlier, 0);
    }
    candidate.explains += explained;
  }
}

std::optional<uint32_t> FoundRoots::root_of(size_t index) const {
  const auto place = place_of_.find(index);
  if (place == place_of_.end()) return std::nullopt;
  const Place& here = places_.at(place->second);
  std::optional<uint32_t> best;
  Nanoseconds most = 0;
  for (const auto& [rank, candidate] : here.candidates) {
    const auto fits = static_cast<double>(here.seen - candidate.refuted);
    if (fits < kNearlyAllWaits * static_cast<double>(here.seen)) continue;
    if (best && candidate.explains <= most) continue;
    best = rank;
    most = candidate.explains;
  }
  return best;
}

}  // namespace tauprof
