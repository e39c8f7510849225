// Notices that CUPTI gives its records to somebody else: a client that came by dlsym() or with a second copy of CUPTI,
// which no hook sees. The sign is that the program launches work, and CUPTI neither asks for a buffer nor hands one
// over.
//
// Work that does not end looks the same while there is room in the buffers that CUPTI has. So it takes more launches
// than fit into these, or a forced flush that brought nothing. For the writer thread.
#pragma once

#include <stdint.h>

#include "capture/device/activity_buffers.h"

namespace tauprof::capture {

class RecordWatch {
 public:
  static constexpr uint64_t kFewLaunches = 20;
  static constexpr uint64_t kQuietNs = 500'000'000;
  static constexpr uint64_t kWaitNs = 2'000'000'000;

  // Whether a call that returned at `end_ns` is of interest: it is not while records come.
  bool listens(uint64_t end_ns) const { return end_ns > restarted_ + kQuietNs; }
  // A call that submits work has returned.
  void launched(uint64_t end_ns) {
    if (launches_++ == 0) first_ = end_ns;
  }
  // After each successful flush. True: no records come.
  bool is_blind(const ActivityBuffers::Use& use, bool was_forced, uint64_t now) {
    if (use.requests + use.completed != seen_) {
      restart(use, now);
      return false;
    }
    if (launches_ < kFewLaunches || now < first_ + kWaitNs) return false;
    return was_forced || launches_ > use.room;
  }
  // Records come, or are known to be dropped.
  void restart(const ActivityBuffers::Use& use, uint64_t now) {
    restarted_ = now;
    seen_ = use.requests + use.completed;
    launches_ = 0;
  }
  uint64_t launches() const { return launches_; }
  uint64_t first_launch() const { return first_; }

 private:
  uint64_t seen_ = 0;
  uint64_t restarted_ = 0;
  uint64_t launches_ = 0;  // since the last sign
  uint64_t first_ = 0;     // when the first of them returned
};

}  // namespace tauprof::capture
