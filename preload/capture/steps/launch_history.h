// What the process has launched, as far back as steps are searched: a ring of the newest launches of all threads, in
// the order in which they were requested. It is kept only while steps are followed.
//
// A launch's position is its number, counted from the first launch seen. Its ordinal counts only what launches, not
// what waits. For each ordinal the history holds a hash of the whole path of launches up to there. So it compares the
// last n launches with those before any other ordinal in constant time, whatever n is.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "step_search/launch_sequence.h"

namespace tauprof::capture {

// What a hook knows of a launch, or of a call that blocks.
struct LaunchFacts {
  uint64_t what = 0;  // equal for equal launches
  LaunchKind kind = LaunchKind::kKernel;
  UpdateRole role = UpdateRole::kNone;
  bool is_graph = false;
  bool is_event_sync = false;
  bool is_message = false;
  bool is_group_end = false;
  bool is_captured = false;  // into a graph: it launches no work itself, so it is not kept
};

struct SeenLaunch {
  LaunchFacts facts;
  uint8_t thread = 0;    // its number in LaunchThreads
  uint64_t start = 0;    // ticks
  uint64_t end = 0;      // ticks; 0: it has not returned
  uint64_t ordinal = 0;  // the number of launches before it, without those that only wait
};

class LaunchHistory {
 public:
  // The number of launches within reach. The ring is twice as large, because the writer thread reads while others add.
  static constexpr uint64_t kReach = 1 << 17;

  // False: out of memory.
  bool start();
  // Returns the launch's position. The caller's lock keeps two threads from adding at once.
  uint64_t add(const LaunchFacts& facts, uint8_t thread, uint64_t ticks);
  void returned(uint64_t position, uint64_t ticks) {
    if (position + kReach > count()) __atomic_store_n(&launches_[position & kMask].end, ticks, __ATOMIC_RELAXED);
  }

  // The number of launches so far.
  uint64_t count() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE); }
  // The oldest position within reach.
  uint64_t oldest() const { return count() > kReach ? count() - kReach : 0; }
  const SeenLaunch& at(uint64_t position) const { return launches_[position & kMask]; }

  uint64_t next_ordinal() const { return next_ordinal_; }
  // A hash of the launches with ordinals in [ordinal - length, ordinal); 0: there are not that many.
  uint64_t path_to(uint64_t ordinal, uint32_t length_log2) const;

  static constexpr uint32_t kPathLengths = 9;  // 1, 2, 4 … 256 launches

 private:
  static constexpr uint64_t kRoom = 2 * kReach;
  static constexpr uint64_t kMask = kRoom - 1;

  SeenLaunch* launches_ = nullptr;
  uint64_t* paths_ = nullptr;  // for each ordinal: the hash of all launches before it
  uint64_t powers_[kPathLengths] = {};
  uint64_t count_ = 0;
  uint64_t next_ordinal_ = 0;
};

}  // namespace tauprof::capture
