// Where a thread is while it makes no call: the writer thread looks at the Python frames of threads whose
// last record is a while ago. What a slow line between two CUDA calls costs (a collate function, a lock, a
// read) stands at that line only here: the stack of the next call says merely where the thread came out.
//
// Each look stands for the time since the look before it, or since the thread's last record. Looks that
// find the same stack one after the other become one row. The longer a pause is, the rarer the looks.
#pragma once

#include <stdint.h>

#include "capture/rings/ring_pool.h"
#include "capture/stacks/stack_rows.h"
#include "log/writer.h"

namespace tauprof::capture {

class PauseSampler {
 public:
  // With stacks on, the writer thread sleeps no longer.
  static constexpr uint64_t kLookInterval = 4'000'000;

  PauseSampler(log::Writer& writer, StackRows& stacks) : writer_(writer), stacks_(stacks) {}

  // A record of the thread in slot `index` ended at `time` (ns).
  void record_ended(uint32_t index, uint64_t time) { watched_[index].last_end = time; }
  // Its ring has just been drained, and it is in no call.
  void look(uint32_t index, const RingPool::Slot& slot);
  // At the end: what has not become a row yet.
  void finish();

 private:
  struct Watched {
    uint64_t last_end;   // of its newest record
    uint64_t pause;      // when the pause began that `stack` belongs to
    uint64_t looked;     // when; the pause's begin before the first look
    uint64_t next_look;  // not before
    uint64_t duration;   // that `stack` stands for, not yet a row
    uint32_t looks;
    uint32_t stack;
    uint32_t thread;
  };
  void write_row(Watched& watched);

  log::Writer& writer_;
  StackRows& stacks_;
  Watched watched_[RingPool::kMostSlots];  // in zeroed memory, touched as far as it is used
};

}  // namespace tauprof::capture
