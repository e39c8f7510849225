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
  // -1: not known, or implausible.
  int32_t rank(int64_t claimed) {
    return static_cast<int32_t>(claimed >= -1 && claimed < kMostRanks ? claimed : ignore("rank", claimed, -1));
  }
  // 0: not known, or implausible.
  int32_t world_size(int64_t claimed) { return size("world size", claimed); }
  int32_t communicator_size(int64_t claimed) { return size("size of a communicator", claimed); }

  // In bytes. 0: not known, or implausible.
  int64_t memory(int64_t claimed) {
    return claimed >= 0 && claimed <= kMostMemory ? claimed : ignore("size of memory", claimed, 0);
  }

  // The nearest plausible time.
  Nanoseconds time(int64_t claimed) {
    if (claimed >= kEarliestTime && claimed <= kLatestTime) [[likely]]
      return claimed;
    return ignore("time", claimed, std::clamp(claimed, kEarliestTime, kLatestTime));
  }
  // 0: not read, or implausible.
  Nanoseconds cpu_time(int64_t claimed) {
    return claimed >= 0 && claimed <= kMostCpuTime ? claimed : ignore("CPU time", claimed, 0);
  }
  // A length that is negative or too long counts as none.
  Interval span(int64_t claimed_start, int64_t duration) {
    const Nanoseconds start = time(claimed_start);
    if (duration >= 0 && duration <= kLatestTime - start) [[likely]]
      return {start, start + duration};
    return {start, start + ignore("duration", duration, 0)};
  }

  // Counts the claimed number as implausible and returns `value` instead.
  int64_t ignore(const char* what, int64_t claimed, int64_t value) {
    ImplausibleValue& known = implausible_.try_emplace(what, ImplausibleValue{what, claimed, 0}).first->second;
    ++known.count;
    return value;
  }

  std::vector<ImplausibleValue> take() {
    std::vector<ImplausibleValue> all;
    for (auto& [what, value] : implausible_) all.push_back(std::move(value));
    return all;
  }

 private:
  int32_t size(const char* what, int64_t claimed) {
    return static_cast<int32_t>(claimed >= 0 && claimed <= kMostRanks ? claimed : ignore(what, claimed, 0));
  }

  std::map<std::string, ImplausibleValue> implausible_;  // by what was claimed
};

}  // namespace tauprof
