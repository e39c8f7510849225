// Notices a clock that jumps, as a preloaded library may make it (libfaketime): beside the kernel's own, which nobody
// can change, the program's stays where it is. Of a clock that jumps, CUPTI's times of a call and ours may be far
// apart.
#pragma once

#include <stdint.h>

#include "capture/base/clock.h"

namespace tauprof::capture {

class ClockWatch {
 public:
  // To be called often, because a clock may jump there and back.
  bool has_jumped() {
    for (int i = 0; i < kLooks && !has_jumped_; ++i) look(now_ns(), kernel_now_ns());
    return has_jumped_;
  }
  void look(uint64_t program_ns, uint64_t kernel_ns) {
    const auto offset = static_cast<int64_t>(program_ns - kernel_ns);
    if (!is_known_) first_ = offset;
    is_known_ = true;
    const int64_t change = offset - first_;
    has_jumped_ = has_jumped_ || change > kMostNs || change < -kMostNs;
  }
  bool jumped() const { return has_jumped_; }

 private:
  static constexpr int kLooks = 8;
  static constexpr int64_t kMostNs = 1'000'000'000;  // a thread may lose its processor between the two readings
  int64_t first_ = 0;
  bool is_known_ = false, has_jumped_ = false;
};

}  // namespace tauprof::capture
