// Who is the root of a rooted operation, where no record says (traces of PyTorch before 2.6).
//
// The root of a reduction or a gather ends after all others have come; a leaf may leave before. The leaves of a
// broadcast or a scatter end after the root has come. So a member is not the root if somebody left too early for that,
// and of those that are left it is the one that explains most waiting. The n-th operation of its kind and size in each
// step has the same root. Example: ranks enter a reduction at 0, 10 and 50 and leave it at 61, 22 and 62. The first one
// waited for the last, as a root does; the second one left before the last came.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "metrics/collectives/collective_match.h"

namespace tauprof {

class FoundRoots {
 public:
  // `time_of`: when a member's operation takes place, on the run's clock.
  using TimeOf = std::function<Interval(const CollectiveMember&)>;
  FoundRoots(const std::vector<RankTimeline>& ranks, const TimeOf& time_of) : ranks_(ranks), time_of_(time_of) {}

  // Of a rooted match whose members' operations are known; in the order of their communicators. `index`: its own.
  void look_at(size_t index, const MatchedCollective& match);
  // The rank, as in CollectiveMember; nullopt: nobody can be.
  std::optional<uint32_t> root_of(size_t index) const;

 private:
  using Kind = std::tuple<bool, uint64_t, log::Operation, int64_t>;  // of a communicator, and how much is moved
  struct Candidate {
    size_t refuted = 0;
    Nanoseconds explains = 0;
  };
  struct Place {
    size_t seen = 0;
    std::map<uint32_t, Candidate> candidates;  // by rank
  };
  struct Count {
    int32_t step = kNoStep;
    uint32_t next = 0;
  };

  const std::vector<RankTimeline>& ranks_;
  const TimeOf time_of_;
  std::map<Kind, Count> counts_;
  std::map<std::pair<Kind, uint32_t>, Place> places_;
  std::map<size_t, std::pair<Kind, uint32_t>> place_of_;  // by match
};

}  // namespace tauprof
