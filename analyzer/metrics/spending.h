// What a rank spent on the way to a collective, and what its peers typically did.
//
// Members of a collective come from the same place: the collective before on that communicator. What each spent since
// is compared row by row with the typical member: the lower median, so that of two ranks it is the faster one's.
//
// The stages of a pipeline do different things, so the two sides of a message cannot be compared with each other, nor
// can the members of any other collective between stages (pipeline_stages.h). A member of one is compared with the
// ranks that are its stage in other replicas of the pipeline, at the same one of the same step; where there are none,
// with itself at that one in other steps. Where messages are between ranks of no known stage, their numbers in the
// communicator stand for it. Example: stage 1 of replicas A and B send their third message
// of step 7 after 5 and 9 ms of computing since the message before. That one of them computes 5 ms is the
// pipeline's nature, and nobody's fault; B's other 4 ms are not.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "metrics/collective_match.h"
#include "metrics/pipeline_stages.h"

namespace tauprof {

struct Spending {
  SpentTime device;
  HostSpending host;
  bool has_host = false;
};

class SpendingTable {
 public:
  SpendingTable(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                const PipelineStages& stages);

  // From the member's arrival at the collective before to this one. False: there is none.
  bool since_previous(uint32_t match, uint32_t member, Spending& spent) const;
  // Of its members; between stages, of those that have this member's place elsewhere.
  bool typical(uint32_t match, uint32_t member, Spending& typical) const;

  // The collective before on its communicator, complete; kNoIndex: none, as always between stages.
  uint32_t previous(uint32_t match) const { return previous_[match]; }
  // The rank's collectives from here up to this one lie in between; between stages with the one that they begin with.
  uint32_t first_between(uint32_t match, uint32_t member) const;

 private:
  // Step, number within the step, communicator's size and the member's stage.
  using StagePlace = std::tuple<int64_t, uint32_t, int32_t, int32_t>;
  struct BetweenStages {
    StagePlace place;
    uint32_t before = kNoIndex;  // the rank's one before this
  };
  bool lies_between(const RankCollective& collective) const;
  void place_between_stages();
  const BetweenStages* between_stages(const CollectiveMember& member) const;
  bool spent(uint32_t rank, uint32_t from, uint32_t to, bool leaves_together, Spending& spending) const;
  bool typical_of_stage(uint32_t match, uint32_t member, Spending& typical) const;
  const uint32_t* member_of(uint32_t match, uint32_t rank) const;

  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const PipelineStages& stages_;
  std::vector<uint32_t> previous_;
  std::map<StagePlace, std::vector<CollectiveMember>> at_place_;
  std::map<std::pair<uint32_t, uint32_t>, BetweenStages> between_stages_;  // by rank and which of its collectives it is
  // Typical spending of the match that was asked for last: all members of a collective have the same.
  mutable uint32_t known_match_ = kNoIndex;
  mutable bool is_known_ = false;
  mutable Spending known_;
};

}  // namespace tauprof
