// A run with one or several things different at once, and how long its steps become.
//
// The order in which it was asked does not matter: a kernel that becomes twice as fast does so on a rank that becomes
// as fast as its peers, too. Two questions about the speed of one operation multiply.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "metrics/stragglers/pipeline_stages.h"
#include "replay/bucket_sizes.h"
#include "replay/changed_links.h"
#include "replay/repair.h"
#include "replay/subjects.h"

namespace tauprof {

using Scenario = std::vector<Question>;

class WhatIf {
 public:
  // All must live as long. `held_up`: ranks that are no example for others (Repairs::apply).
  WhatIf(RunGraph& run, const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
         const LinkModel& links, Faults held_up)
      : run_(run),
        ranks_(ranks),
        matches_(matches),
        model_(links),
        subjects_(run, ranks),
        stages_(ranks, matches),
        links_(ranks, matches, links),
        waits_(run, ranks),
        repairs_(run, ranks),
        held_up_(std::move(held_up)) {}

  // Names the subject that this run lacks, and those it has instead; empty: the subject is there.
  std::string not_there(const Question& question) const;
  // Of questions whose subjects are there.
  Answer answer(const Scenario& scenario);

 private:
  Repair repair_of(const Question& question) const;  // with the ranks of its stage
  std::string change(const Question& question, Changes& changes);
  std::string change_links(const Question& question, const std::vector<Subjects::Operation>& operations,
                           Changes& changes) const;

  RunGraph& run_;
  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const LinkModel& model_;
  Subjects subjects_;
  PipelineStages stages_;
  ChangedLinks links_;
  KnownWaits waits_;
  Repairs repairs_;
  Faults held_up_;
  std::optional<BucketSizes> buckets_;  // made on first use
};

}  // namespace tauprof
