// Which device work was held back by its stream: told to wait for another stream's event, or for a function of the
// host, after the launch before it.
//
// Who made a stream wait is read from the handles that calls carry, else from recorded waits of streams. Without either
// it is inferred: a wait that a thread issued is taken to be on the stream that this thread launches to.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class StreamHolds {
 public:
  StreamHolds(const ProcessTrace& trace, const DeviceTrace& device);

  // `span` has a call. Fast where spans are asked for nearly in order.
  bool is_held(uint32_t span);
  bool is_inferred() const { return source_ == Source::kThreads; }

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
  enum class Source { kHandles, kRecords, kThreads };

  void index_by_handle();
  void index_by_records();
  bool is_stream_wait(const DeviceSpan& span) const;

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  Source source_ = Source::kThreads;
  std::vector<SortedTimes> launches_;  // start times by stream
  std::vector<SortedTimes> holds_;     // start times of waits, by stream or thread
};

}  // namespace tauprof
