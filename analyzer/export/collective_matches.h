// Which matched collectives of the run each collective of a rank is part of.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "export/run_writer.h"

namespace tauprof {

class CollectiveMatches {
 public:
  using Entry = std::pair<uint32_t, uint32_t>;  // collective of the rank, index into RunView::matches

  explicit CollectiveMatches(const RunView& run);
  // Several only for a group of messages.
  std::span<const Entry> of(uint32_t rank, uint32_t collective) const;

 private:
  std::vector<std::vector<Entry>> by_rank_;  // sorted
};

// Which ranks are members of each communicator, as far as the run's logs tell.
// By the communicator's identity, in the order of its own ranks; only of those whose members all have a log.
std::map<uint64_t, std::vector<int32_t>> known_members(const RunView& run);

}  // namespace tauprof
