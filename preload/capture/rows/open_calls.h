// Calls that have not returned: a thread that blocks for longer than a second, or is in a call when the recording ends,
// has a row that says where it is. What a hanging or killed job leaves would otherwise end with the last call before.
//
// A thread announces each call in its ring before it makes it, and records it when it has returned. So a call is open
// where its announcement has been seen and its record has not: announced [100], recorded [100]: returned; announced
// [200] after that: in it since 200. Rows of a thread replace each other; the one without a function says that the
// thread has come back.
#pragma once

#include <stdint.h>

#include "capture/rings/ring_pool.h"
#include "capture/stacks/stack_rows.h"
#include "capture/ticks.h"
#include "log/writer.h"

namespace tauprof::capture {

class OpenCalls {
 public:
  // A call's record has come out of the ring in this slot.
  void call_returned(uint32_t slot, uint64_t start_ticks) { returned_[slot] = Ring::announced_start(start_ticks); }
  bool is_in_call(uint32_t slot) const;
  // The thread of this slot has ended, perhaps out of a call.
  void thread_ended(log::Writer& writer, uint32_t slot, uint64_t now);
  // All rings have been drained since `now`. Rows for calls that are at least `age` old, and for threads that have come
  // back.
  void write_rows(log::Writer& writer, StackRows& stacks, const TickScale& scale, uint64_t now, uint64_t age);

 private:
  static constexpr uint64_t kRepeatNs = 1'000'000'000;
  void follow(log::Writer& writer, StackRows& stacks, const TickScale& scale, uint32_t slot, uint64_t now,
              uint64_t age);
  void write_return(log::Writer& writer, uint32_t slot, uint64_t now);

  uint64_t returned_[RingPool::kMostSlots];  // ticks of the newest recorded call's start
  uint64_t told_at_[RingPool::kMostSlots];   // when a row said that the thread is in a call; 0: none does
};

}  // namespace tauprof::capture
