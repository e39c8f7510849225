// Which matched collectives of the run each collective of a rank is part of.
#pragma once

#include <cstdint>
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

}  // namespace tauprof
