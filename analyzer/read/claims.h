// Limits on the numbers in a log. A log is bytes that anybody may have written, so a number in it sizes no memory and
// bounds no loop: sizes come from rows that are there. Numbers that no job can have are ignored, here and nowhere else;
// the report says so. The limits are in analysis_limits.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "limits/analysis_limits.h"
#include "model/process_trace.h"

namespace tauprof {

class Claims {
 public:
  // -1: not known, or not believed.
  int32_t rank(int64_t claimed) {
    return static_cast<int32_t>(claimed >= -1 && claimed < kMostRanks ? claimed : doubt("rank", claimed, -1));
  }
  // 0: not known, or not believed.
  int32_t world_size(int64_t claimed) { return size("world size", claimed); }
  int32_t communicator_size(int64_t claimed) { return size("size of a communicator", claimed); }

  // In bytes. 0: not known, or not believed.
  int64_t memory(int64_t claimed) {
    return claimed >= 0 && claimed <= kMostMemory ? claimed : doubt("size of memory", claimed, 0);
  }

  // The nearest time that is believed.
  Nanoseconds time(int64_t claimed) {
    if (claimed >= kEarliestTime && claimed <= kLatestTime) [[likely]]
      return claimed;
    return doubt("time", claimed, std::clamp(claimed, kEarliestTime, kLatestTime));
  }
  // A length that is negative or too long counts as none.
  Interval span(int64_t claimed_start, int64_t duration) {
    const Nanoseconds start = time(claimed_start);
    if (duration >= 0 && duration <= kLatestTime - start) [[likely]]
      return {start, start + duration};
    return {start, start + doubt("duration", duration, 0)};
  }

  // `value` instead of the claimed number.
  int64_t doubt(const char* what, int64_t claimed, int64_t value) {
    Disbelief& known = doubts_.try_emplace(what, Disbelief{what, claimed, 0}).first->second;
    ++known.count;
    return value;
  }

  std::vector<Disbelief> take() {
    std::vector<Disbelief> all;
    for (auto& [what, doubt] : doubts_) all.push_back(std::move(doubt));
    return all;
  }

 private:
  int32_t size(const char* what, int64_t claimed) {
    return static_cast<int32_t>(claimed >= 0 && claimed <= kMostRanks ? claimed : doubt(what, claimed, 0));
  }

  std::map<std::string, Disbelief> doubts_;  // by what was claimed
};

}  // namespace tauprof
