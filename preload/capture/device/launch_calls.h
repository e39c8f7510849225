// Maps CUPTI's correlation ids to the calls in which the launches were made.
//
// An API record says when and on which thread a launch was made. The call index says in which call that was, once the
// call has returned. CUPTI's ids increase, so an id modulo the size of the table gives the slot: a launch replaces the
// one that is a whole table older. For the writer thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/device/call_index.h"
#include "capture/device/cupti_records.h"

namespace tauprof::capture {

class LaunchCalls {
 public:
  // `memory` is zeroed.
  void init(void* memory, size_t bytes);
  void add_launch(const cupti_records::ApiCall& call);
  // A call that CUPTI reported has the number of its launch; of others, the times tell.
  void add_call(const RecordedCall& call);

  CallIndex::Answer call_of(uint32_t correlation, uint64_t& number);
  CallIndex::Answer call_at(uint32_t thread_id, uint64_t time, uint64_t& number) {
    return calls_.find(thread_id, time, number);
  }

  struct Launch {
    uint32_t correlation;  // 0: free
    uint32_t thread_id;
    uint64_t start;
    uint64_t call;       // number of the call; 0: not known yet; or one of the values below
    uint32_t length_ns;  // UINT32_MAX: at least that
    uint16_t function;   // CUPTI's callback id
    bool is_driver;      // a function of the driver, not of the runtime
    bool is_taken;

    // The time to look up: at the edges the two clocks may disagree.
    uint64_t middle() const { return start + length_ns / 2; }
  };
  // The thread and the time of the launch. False: not known, or not any more.
  bool find_launch(uint32_t correlation, uint32_t& thread_id, uint64_t& time) const;
  // The newest call that a thread has announced.
  struct Announced {
    uint64_t start;  // 0: not known
    bool may_launch;
  };
  // The call of a launch is not known yet. If the thread's newest call started before the launch and returned before
  // it, the launch was made in no call, and call_of() says so from now on. True: so it is.
  bool settle_last(uint32_t correlation, Announced (*announced)(uint32_t os_id));
  // The launch with this id if it was made in no recorded call. Null: it was, or has been taken before.
  const Launch* take_outside(uint32_t correlation);

 private:
  static constexpr uint64_t kOutside = UINT64_MAX;        // made in no recorded call
  static constexpr uint64_t kForgotten = UINT64_MAX - 1;  // the calls of that time have been forgotten
  CallIndex calls_;
  Launch* launches_ = nullptr;
  uint32_t mask_ = 0;
};

}  // namespace tauprof::capture
