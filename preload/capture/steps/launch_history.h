// What the process has launched, as far back as steps are searched: a ring of the newest launches, of all threads in
// the order in which they were asked for. Kept only while steps are followed.
//
// Launches are counted from the first one that was seen; that number is a launch's position for ever. Besides its facts
// each has the hash of the path that led to it, without what only waits: so the last n launches can be compared with
// those before any other position at once, whatever n is.
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
  bool is_captured = false;  // into a graph: no work comes of it, so it is not kept
};

struct SeenLaunch {
  LaunchFacts facts;
  uint8_t thread = 0;  // as LaunchThreads counts them
  uint64_t start = 0;  // ticks
  uint64_t end = 0;    // ticks; 0: it has not returned
  uint64_t turn = 0;   // how many launches that do not only wait came before
};

class LaunchHistory {
 public:
  // So many launches can be asked for; in a ring twice as large, because the writer thread reads while others add.
  static constexpr uint64_t kReach = 1 << 17;

  // False: there is no memory.
  bool begin();
  // The caller keeps this from running at once. Answers the launch's position.
  uint64_t add(const LaunchFacts& facts, uint8_t thread, uint64_t ticks);
  void returned(uint64_t position, uint64_t ticks) {
    if (position + kReach > count()) __atomic_store_n(&launches_[position & kMask].end, ticks, __ATOMIC_RELAXED);
  }

  // The number of launches so far.
  uint64_t count() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE); }
  // The oldest that can be asked for.
  uint64_t oldest() const { return count() > kReach ? count() - kReach : 0; }
  const SeenLaunch& at(uint64_t position) const { return launches_[position & kMask]; }

  // Turns count the launches that do not only wait. A hash of those in [turn - length, turn); 0: too far back.
  uint64_t turns() const { return turns_; }
  uint64_t path_to(uint64_t turn, uint32_t length_log2) const;

  static constexpr uint32_t kPathLengths = 9;  // 1, 2, 4 … 256 launches

 private:
  static constexpr uint64_t kRoom = 2 * kReach;
  static constexpr uint64_t kMask = kRoom - 1;

  SeenLaunch* launches_ = nullptr;
  uint64_t* paths_ = nullptr;  // before each turn, of everything up to there
  uint64_t powers_[kPathLengths] = {};
  uint64_t count_ = 0;
  uint64_t turns_ = 0;
};

}  // namespace tauprof::capture
