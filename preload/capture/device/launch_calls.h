// From CUPTI's correlation numbers to the calls in which the launches were made.
//
// An API record says when and on which thread a launch was made; the call index says in which call that was, once that
// call has returned. CUPTI's numbers increase, so a table that each number has its place in serves: an old launch gives
// way to one that is a table's size younger. The writer thread uses it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/device/call_index.h"
#include "capture/device/cupti_records.h"

namespace tauprof::capture {

class LaunchCalls {
 public:
  // `memory` is zeroed.
  void begin(void* memory, size_t bytes);
  void add_launch(const cupti_records::ApiCall& call);
  void add_call(const RecordedCall& call) { calls_.add(call); }

  CallIndex::Answer call_of(uint32_t correlation, uint64_t& number);
  CallIndex::Answer call_at(uint32_t thread_id, uint64_t time, uint64_t& number) {
    return calls_.find(thread_id, time, number);
  }

  struct Launch {
    uint32_t correlation;  // 0: free
    uint32_t thread_id;
    uint64_t start;
    uint64_t call;       // 0: not known yet; kOutside: made in no call of ours
    uint32_t length_ns;  // UINT32_MAX: that long or longer
    uint16_t function;   // CUPTI's callback id
    bool is_driver;      // of the driver's functions, else of the runtime's
    bool is_taken;
  };
  // When it was made; 0: not known.
  uint64_t launched_at(uint32_t correlation) const;
  // A launch that was made in none of our calls, once; null: it was taken before, or is none.
  const Launch* take_outside(uint32_t correlation);

 private:
  static constexpr uint64_t kOutside = UINT64_MAX;
  CallIndex calls_;
  Launch* launches_ = nullptr;
  uint32_t mask_ = 0;
};

}  // namespace tauprof::capture
