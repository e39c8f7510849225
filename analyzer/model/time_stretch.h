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

  TimeStretch() = default;
  TimeStretch(TimeStretch&&) = default;
  TimeStretch(const TimeStretch&) = delete;  // hour_ points into its own map
  TimeStretch& operator=(const TimeStretch&) = delete;

  void add(Nanoseconds time) {
    if (time < hour_start_ || time > hour_end_) enter_hour(time);
    if (hour_ == nullptr) return;
    hour_->first = std::min(hour_->first, time);
    hour_->last = std::max(hour_->last, time);
    ++hour_->times;
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
  static constexpr Nanoseconds kEarliest = std::numeric_limits<Nanoseconds>::min();
  static constexpr Nanoseconds kLatest = std::numeric_limits<Nanoseconds>::max();

  void enter_hour(Nanoseconds time) {
    const int64_t hour = time / kLongestPause;  // the one around 0 lasts two hours
    hour_start_ = hour_end_ = time;
    hour_ = nullptr;
    // Whoever writes a time for each hour of a century gets no more memory than this.
    if (hours_.size() >= kMostHours && hours_.count(hour) == 0) return;
    hour_ = &hours_[hour];
    const Nanoseconds nearest = hour * kLongestPause;  // to 0
    hour_start_ = hour <= 0 ? std::max(nearest, kEarliest + kLongestPause) - (kLongestPause - 1) : nearest;
    hour_end_ = hour >= 0 ? std::min(nearest, kLatest - kLongestPause) + (kLongestPause - 1) : nearest;
  }

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
  // The hour of the latest time, and its bounds, both included; null: it is one too many.
  Stretch* hour_ = nullptr;
  Nanoseconds hour_start_ = 1, hour_end_ = 0;
};

}  // namespace tauprof
