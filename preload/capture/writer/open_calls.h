// Calls that have not returned. A thread that is in a call for more than a second, or when the recording ends, gets a
// row that says which call. Otherwise the log of a hanging or killed job would end with the call before.
//
// A thread announces each call in its ring before it makes the call, and records it when it has returned. So a call is
// open while its announcement is there and its record is not. Announced [100] and recorded [100]: it has returned.
// Announced [200] after that: the thread has been in the call since 200. A thread's newest row replaces its older ones;
// a row without a function says that the call has returned.
#pragma once

#include <stdint.h>

#include "capture/base/ticks.h"
#include "capture/rings/ring_pool.h"
#include "capture/stacks/stack_rows.h"
#include "log/writer.h"

namespace tauprof::capture {

class OpenCalls {
 public:
  // A call's record has been drained from the ring in this slot.
  void call_returned(uint32_t slot, uint64_t start_ticks) { returned_[slot] = Ring::announced_start(start_ticks); }
  bool is_in_call(uint32_t slot) const;
  // When the oldest open call that may launch work started; UINT64_MAX: none is open. All rings must have been drained.
  uint64_t oldest_launch(const TickScale& scale) const;
  // The thread of this slot has ended, perhaps within a call.
  void thread_ended(log::Writer& writer, uint32_t slot, uint64_t now);
  // Writes rows for calls that are at least `age` old at `now`, and for calls that have returned since their row. All
  // rings must have been drained since `now`.
  void write_rows(log::Writer& writer, StackRows& stacks, const TickScale& scale, uint64_t now, uint64_t age);

 private:
  static constexpr uint64_t kRepeatNs = 1'000'000'000;
  void follow(log::Writer& writer, StackRows& stacks, const TickScale& scale, uint32_t slot, uint64_t now,
              uint64_t age);
  void write_return(log::Writer& writer, uint32_t slot, uint64_t now);

  uint64_t returned_[RingPool::kMostSlots];     // ticks of the newest recorded call's start
  uint64_t reported_at_[RingPool::kMostSlots];  // when the row was written that says the thread is in a call; 0: there
                                                // is none
};

}  // namespace tauprof::capture
