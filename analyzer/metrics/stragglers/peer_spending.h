// A rank's spending on the way to a collective, against the typical spending of its peers.
//
// Members of a collective have a common origin: the previous collective of that communicator. For a message it is the
// previous one between the same two ranks, either way. What each member spent since then is compared row by row with
// the typical member, the lower median; of two ranks that is the faster one.
//
// The stages of a pipeline do different things, so the two sides of a message cannot be compared with each other, nor
// the members of any other collective between stages (pipeline_stages.h). Instead, a member is compared with the ranks
// that are its stage in other replicas of the pipeline, itself among them, at the same collective that the same step
// launches. If the stages of a message's ranks are not known, their numbers in the communicator are used. Example:
// stage 1 of replicas A and B send their third message of step 7 after 5 and 9 ms of computing since the one before.
// The 5 ms lie in the pipeline's nature and are nobody's fault; B's other 4 ms are not. What the stage does in all
// replicas, and other stages do not, is not typical either (stage_loads.h).
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/stragglers/pipeline_stages.h"
#include "metrics/stragglers/stage_loads.h"
#include "metrics/stragglers/typical_spending.h"

namespace tauprof {

class SpendingTable {
 public:
  SpendingTable(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                const PipelineStages& stages);

  // From the member's arrival at the previous collective, or its first work on the device, to its arrival at this one.
  bool since_previous(uint32_t match, uint32_t member, Spending& spent) const;
  // The same of all members, and their typical spending; not between stages.
  struct OfMembers {
    bool is_known = false;
    std::vector<Spending> spent;  // by member
    Spending typical;
  };
  OfMembers of_members(uint32_t match) const;
  // Between stages: the typical spending of those at this member's position in other replicas.
  bool typical_of_stage(uint32_t match, uint32_t member, Spending& typical) const;

  // Where that is known: the same as the typical stage would have spent it.
  Spending without_stage_excess(uint32_t match, uint32_t member, Spending spent) const;

  // The common origin of its members; kNoIndex: none.
  uint32_t previous(uint32_t match) const { return previous_[match]; }
  // The first of the rank's collectives between the previous one and this one.
  uint32_t first_between(uint32_t match, uint32_t member) const;

 private:
  // Step, number among the rank's matches between stages in it, the communicator's size and the member's stage.
  using StagePosition = std::tuple<int64_t, uint32_t, int32_t, int32_t>;
  struct Side {
    uint32_t match;
    uint32_t member;
  };
  int32_t launching_step(uint32_t rank, const RankCollective& collective) const;
  void index_between_stages();
  double exchanged(uint32_t rank, uint32_t collective) const {
    return exchanged_[rank].empty() ? 0 : exchanged_[rank][collective];
  }
  bool spent(uint32_t rank, uint32_t from, uint32_t to, Spending& spending) const;
  bool since_first_span(const CollectiveMember& member, Spending& spending) const;

  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const PipelineStages& stages_;
  StageLoads loads_;
  std::vector<uint32_t> previous_;
  // By rank and collective, with those before it; empty: the rank exchanged nothing.
  std::vector<std::vector<double>> exchanged_;
  std::map<StagePosition, std::vector<Side>> at_position_;
  std::map<std::pair<uint32_t, uint32_t>, StagePosition> position_of_;  // by match and member
};

}  // namespace tauprof
