// The columns that calls, GEMMs and collectives share.
#pragma once

#include "model/process_trace.h"
#include "read/log_reader.h"

namespace tauprof {

// The end of a span whose length may be damaged or negative.
inline Nanoseconds end_of(int64_t start, int64_t duration) {
  Nanoseconds end;
  return duration < 0 || __builtin_add_overflow(start, duration, &end) ? start : end;
}

template <class Record>
class HostCallColumns {
 public:
  HostCallColumns(const RecordBlock& block)
      : thread_(block.column(&Record::thread)),
        function_(block.column(&Record::function)),
        start_(block.column(&Record::start)),
        duration_(block.column(&Record::duration)),
        correlation_(block.column(&Record::correlation)),
        stream_(block.column(&Record::stream)),
        cpu_(block.column(&Record::thread_cpu_ns)),
        stack_(block.column(&Record::stack)) {}
  int64_t thread(uint32_t row) const { return thread_[row]; }
  int64_t function(uint32_t row) const { return function_[row]; }
  int64_t stack(uint32_t row) const { return stack_[row]; }
  HostCall call(uint32_t row) const {
    HostCall call;
    call.start = start_[row];
    call.end = end_of(start_[row], duration_[row]);
    call.correlation = static_cast<uint64_t>(correlation_[row]);
    call.stream = stream_[row];
    call.thread_cpu_ns = cpu_[row];
    return call;
  }

 private:
  Column thread_, function_, start_, duration_, correlation_, stream_, cpu_, stack_;
};

}  // namespace tauprof
