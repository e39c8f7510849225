// In which collectives it is known how long each rank waits and how long it moves data. In the others, as where a
// member's log is missing, a replay keeps the whole length: what a rank gains or loses against the others would show in
// a wait that nobody can tell.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "replay/repair_plan.h"
#include "replay/subjects.h"

namespace tauprof {

class KnownWaits {
 public:
  // Both must live as long.
  KnownWaits(const RunGraph& run, const std::vector<RankTimeline>& ranks) : run_(run), subjects_(run, ranks) {}

  bool is_split(const Subjects::Operation& collective) const;
  // Why these cannot become faster as wholes, since their waiting would, too; empty: they can, but for what is a
  // negligible part of a step.
  std::string why_not_split(const std::vector<Subjects::Operation>& operations) const;
  // Why nothing tells what the repair would change; empty: it is known in most of the steps, and some are its own.
  std::string why_not(const Repair& repair);
  bool is_analysed(const Subjects::Operation& operation) const;

 private:
  // The shortest time that is not a negligible part of a step, in ns.
  double least() const;
  std::string text_of(const Subjects::Operation& one) const;
  std::vector<std::string> unknown_by_rank() const;

  const RunGraph& run_;
  const Subjects subjects_;
  std::optional<std::vector<std::string>> unknown_;  // why, by rank; made on first use
  std::optional<std::set<int64_t>> replayed_;        // the numbers of the steps; likewise
};

}  // namespace tauprof
