// One rank's device: streams that run their work in order, events between them, and the resulting
// times. Work stays queued until everything that it waits for has a time.
#pragma once

#include <cstdint>
#include <vector>

#include "collective_units.h"
#include "job_events.h"

namespace tauprof::generator {

struct QueuedOp {
  enum class Kind : uint8_t { kSpan, kRecord, kWait } kind = Kind::kSpan;
  bool has_arrived = false;
  int event = 0;
  int64_t ready = 0;     // when the device can see it
  int64_t pause = 0;     // after the previous work
  int64_t duration = 0;  // of spans without a unit
  CollectiveUnits::Membership membership{-1, 0};
  DeviceSpan span;
};

class DeviceQueues {
 public:
  DeviceQueues(int rank, CollectiveUnits& units, JobObserver& observer)
      : rank_(rank), units_(units), observer_(observer) {}

  // Starts a program with the events 1 to `events`, of whose compute spans `drops` get lost, and of those that
  // communicate `lost`.
  void start_program(int events, int64_t drops, int64_t lost);
  int64_t dropped_spans() const { return dropped_; }

  void push(int stream, const QueuedOp& op) { streams_[stream].queue.push_back(op); }

  // Computes all times that are now known; appends other ranks that can continue to `released`.
  void resolve(std::vector<int>& released);

  bool is_drained(int stream) const { return streams_[stream].next == streams_[stream].queue.size(); }
  int64_t free_at(int stream) const { return streams_[stream].free_at; }
  int64_t spans() const { return spans_; }

 private:
  struct StreamState {
    std::vector<QueuedOp> queue;
    size_t next = 0;  // position of the first unresolved operation
    int64_t free_at = 0;
  };
  bool resolve_next(StreamState& stream, std::vector<int>& released);
  bool resolve_span(StreamState& stream, QueuedOp& op, std::vector<int>& released);
  void emit(DeviceSpan& span);

  const int rank_;
  CollectiveUnits& units_;
  JobObserver& observer_;
  StreamState streams_[kStreams];
  std::vector<int64_t> event_times_;
  int64_t drops_left_ = 0;
  int64_t lost_left_ = 0;
  int64_t dropped_ = 0;
  int64_t spans_ = 0;
};

}  // namespace tauprof::generator
