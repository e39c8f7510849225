// A host call as the writer thread tells it to whoever joins device work to calls.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

// Correlation numbers that the recorder gives to calls begin here: CUPTI's have 32 bits, so a link
// (CUPTI's number → ours) can never be taken for one of the other kind.
inline constexpr uint64_t kFirstCallNumber = uint64_t{1} << 40;

struct RecordedCall {
  uint64_t number;    // the call row's `correlation`, from kFirstCallNumber, increasing
  uint64_t start_ns;  // on the log's clock
  uint64_t end_ns;
  uint32_t thread_id;  // the kernel's, as CUPTI's API records carry: it is not given to the next thread at once
  uint16_t function;   // hook number (hooks/): function_name() of hook_table.h
};

}  // namespace tauprof::capture
