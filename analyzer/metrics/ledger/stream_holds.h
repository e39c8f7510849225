// Which device work was held back by its stream: told to wait for another stream's event, or for a function of the
// host, after the launch before it.
//
// Who made a stream wait is read from the handles that calls carry, else from recorded waits of streams. Without either
// it is inferred from the order of calls: a wait is of the stream that is launched to next, by the same thread if that
// launches, else by another. But a library that launches a collective makes its stream wait for the caller's: it
// records an event, and waits for that. Other waits before such a launch are of another stream. Example: wait, record,
// wait, all-gather, product: the all-gather waits for what it reads, and the product for something else.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "model/stream_handles.h"

namespace tauprof {

class StreamHolds {
 public:
  StreamHolds(const ProcessTrace& trace, const DeviceTrace& device);

  // `span` has a call. Fast where spans are asked for nearly in order.
  bool is_held(uint32_t span);
  bool is_inferred() const { return source_ == Source::kOrder; }

 private:
  // Times that are asked for nearly in order: each search starts where the one before ended.
  class SortedTimes {
   public:
    void add(Nanoseconds time) { times_.push_back(time); }
    void sort();
    Nanoseconds last_before(Nanoseconds time);  // kNever: none

   private:
    std::vector<Nanoseconds> times_;
    size_t next_ = 0;
  };
  static constexpr Nanoseconds kNever = INT64_MIN;
  enum class Source { kHandles, kRecords, kOrder };

  void index_by_handle(const StreamHandles& handles);
  void hold_turns(uint32_t stream, uint32_t default_stream, const HostCall& call);
  void index_by_records();
  void infer_by_order();
  bool is_stream_wait(const DeviceSpan& span) const;

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  Source source_ = Source::kOrder;
  std::vector<SortedTimes> launches_;  // start times by stream
  std::vector<SortedTimes> holds_;     // the same of waits
  std::vector<bool> is_held_;          // by span, where it is inferred
};

}  // namespace tauprof
