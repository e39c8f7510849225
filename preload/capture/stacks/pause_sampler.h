// Samples where threads are while they make no calls: the writer thread looks at the Python frames of threads whose
// last record is a while ago. Only these samples show the cost of a slow line between two CUDA calls (a collate
// function, a lock, a read): the stack of the next call only shows where the thread resumed.
//
// Each look stands for the time since the look before it, or since the thread's last record. Successive looks that find
// the same stack become one row. Sampling backs off as the pause grows.
#pragma once

#include <stdint.h>

#include "capture/rings/ring_pool.h"
#include "capture/stacks/stack_rows.h"
#include "log/writer.h"

namespace tauprof::capture {

class PauseSampler {
 public:
  // With stacks on, the writer thread never sleeps longer than this.
  static constexpr uint64_t kLookInterval = 4'000'000;

  PauseSampler(log::Writer& writer, StackRows& stacks) : writer_(writer), stacks_(stacks) {}

  // A record of the thread in slot `index` ended at `time` (ns).
  void record_ended(uint32_t index, uint64_t time) { watched_[index].last_end = time; }
  // Looks at the thread in slot `index`, which is in no call and whose ring has just been drained.
  void look(uint32_t index, const RingPool::Slot& slot);
  // Writes the last rows.
  void finish();

 private:
  struct Watched {
    uint64_t last_end;   // of its newest record
    uint64_t pause;      // start of the pause that `stack` belongs to
    uint64_t looked;     // time of the last look; before the first, the start of the pause
    uint64_t next_look;  // earliest time of the next look
    uint64_t duration;   // for which `stack` stands and no row has been written
    uint32_t looks;
    uint32_t stack;
    uint32_t thread;
  };
  void write_row(Watched& watched);

  log::Writer& writer_;
  StackRows& stacks_;
  Watched watched_[RingPool::kMostSlots];  // in zeroed memory, whose unused pages are never touched
};

}  // namespace tauprof::capture
