// The operations of a run that a question is about, and what else a user could have named.
#pragma once

#include <string>
#include <vector>

#include "replay/question.h"
#include "replay/run_graph.h"

namespace tauprof {

class Subjects {
 public:
  // Both must live as long; `ranks` as the graph was made of.
  Subjects(const RunGraph& run, const std::vector<RankTimeline>& ranks) : run_(run), ranks_(ranks) {}

  struct Operation {
    OperationId id = 0;
    uint32_t rank = 0;  // index
    uint32_t collective = kNoIndex;
    int64_t step = kNoStep;  // its number
    const OperationLabel* label = nullptr;
  };
  // Also outside the analysed steps.
  std::vector<Operation> named_by(const Subject& subject) const;
  // "no kernel of this run is called 'x*'; there are …": the names of this kind, the longest in all first.
  std::string nothing_is(const Subject& subject) const;
  const RankCollective& collective(const Operation& operation) const {
    return ranks_[operation.rank].collectives[operation.collective];
  }

 private:
  // Empty: it cannot be named so.
  std::string name_of(Subject::Kind kind, size_t rank, const OperationLabel& operation) const;
  template <class Take>
  void for_operations(Subject::Kind kind, Take&& take) const;

  const RunGraph& run_;
  const std::vector<RankTimeline>& ranks_;
};

}  // namespace tauprof
