// A host call as the writer thread passes it on to join device work to it.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

// The first correlation id that the recorder gives to a call. CUPTI's ids have 32 bits, so in a link (CUPTI's id →
// ours) neither can be mistaken for the other.
inline constexpr uint64_t kFirstCallNumber = uint64_t{1} << 40;

// The number of a time in which calls were dropped.
inline constexpr uint64_t kDroppedCall = 0;

struct RecordedCall {
  uint64_t number;    // `correlation` of the call's row, which increases from kFirstCallNumber; or kDroppedCall
  uint64_t start_ns;  // on the log's clock
  uint64_t end_ns;
  uint32_t thread_id;    // the kernel's, as in CUPTI's API records; it is not reused at once
  uint16_t function;     // hook number
  uint32_t correlation;  // CUPTI's number of the call; 0: a hook saw it
};

}  // namespace tauprof::capture
