// Where the times of a recording lie, whatever single odd times there are: the stretch without a long pause that holds
// most of them. Times are counted by the hour, so that any number of them costs little.
//
// Example: a kernel is stamped 0, the other 80 and all calls lie within 40 ms in the year 2023. The stretch is those
// 40 ms. Where two stretches hold a tenth of the times or more each, a program may have paused between them, and the
// whole counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "model/time.h"

namespace tauprof {

class TimeStretch {
 public:
  // Nothing that belongs to one trace lies further than this from all else: those who wait for other ranks give up
  // after half an hour (the watchdogs of NCCL and torch.distributed).
  static constexpr Nanoseconds kLongestPause = 3'600'000'000'000;
  // Odd times are fewer than this share. By convention: damaged records and odd devices account for less.
  static constexpr double kOddShare = 0.1;

  void add(Nanoseconds time) {
    const int64_t hour = time / kLongestPause;
    if (known_ == nullptr || hour != known_hour_) {
      // Whoever writes a time for each hour of a century gets no more memory than this.
      if (hours_.size() >= kMostHours && hours_.count(hour) == 0) return;
      known_ = &hours_[hour];
      known_hour_ = hour;
    }
    known_->first = std::min(known_->first, time);
    known_->last = std::max(known_->last, time);
    ++known_->times;
  }

  // From the first to the last time of the stretch, both included; {0, 0} without any times.
  Interval main() const {
    const std::vector<Stretch> all = stretches();
    if (all.empty()) return {};
    uint64_t times = 0;
    for (const Stretch& one : all) times += one.times;
    const Stretch& most = *std::max_element(all.begin(), all.end(),
                                            [](const Stretch& a, const Stretch& b) { return a.times < b.times; });
    const auto odd = static_cast<double>(times - most.times);
    if (odd >= kOddShare * static_cast<double>(times)) return {all.front().first, all.back().last};
    return {most.first, most.last};
  }

 private:
  struct Stretch {
    Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last = std::numeric_limits<Nanoseconds>::min();
    uint64_t times = 0;
  };
  static constexpr size_t kMostHours = 1 << 16;

  std::vector<Stretch> stretches() const {
    std::vector<Stretch> all;
    for (const auto& [hour, part] : hours_) {
      // The distance of two times in 64 bits may not fit into 63.
      const bool is_near = !all.empty() && static_cast<uint64_t>(part.first) - static_cast<uint64_t>(all.back().last) <=
                                               static_cast<uint64_t>(kLongestPause);
      if (!is_near) {
        all.push_back(part);
        continue;
      }
      all.back().last = part.last;
      all.back().times += part.times;
    }
    return all;
  }

  std::map<int64_t, Stretch> hours_;
  Stretch* known_ = nullptr;  // of the latest time
  int64_t known_hour_ = 0;
};

}  // namespace tauprof
