// The gaps of a recording that are longer than what clocks may be wrong by.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class NotableGaps {
 public:
  // `scope`: of what was not recorded; empty: of anything.
  explicit NotableGaps(const ProcessTrace& trace, std::string_view scope = {});
  explicit NotableGaps(std::vector<Interval> gaps);

  bool empty() const { return gaps_.empty(); }
  // Whether one of them has more than that in common with this time.
  bool overlap(Nanoseconds start, Nanoseconds end) const;
  // The latest end of one in [start, end]; nullopt: there is none.
  std::optional<Nanoseconds> last_end(Nanoseconds start, Nanoseconds end) const;

 private:
  void set(std::vector<Interval> gaps);

  std::vector<Interval> gaps_;  // by start; the ends are the latest so far
};

}  // namespace tauprof
