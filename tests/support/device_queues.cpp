// Moves queued device work through its streams.
#include "device_queues.h"

#include <algorithm>

namespace tauprof::generator {

void DeviceQueues::start_program(int events, int64_t drops, int64_t lost) {
  event_times_.assign(static_cast<size_t>(events) + 1, -1);
  drops_left_ = drops;
  lost_left_ = lost;
  dropped_ = 0;
}

void DeviceQueues::resolve(std::vector<int>& released) {
  bool has_progressed = true;
  while (has_progressed) {
    has_progressed = false;
    for (StreamState& stream : streams_) {
      while (stream.next < stream.queue.size() && resolve_next(stream, released)) {
        ++stream.next;
        has_progressed = true;
      }
      if (stream.next == stream.queue.size()) {
        stream.queue.clear();
        stream.next = 0;
      }
    }
  }
}

bool DeviceQueues::resolve_next(StreamState& stream, std::vector<int>& released) {
  QueuedOp& op = stream.queue[stream.next];
  switch (op.kind) {
    case QueuedOp::Kind::kRecord:
      event_times_[op.event] = std::max(stream.free_at, op.ready);
      return true;
    case QueuedOp::Kind::kWait:
      if (event_times_[op.event] < 0) return false;
      stream.free_at = std::max(stream.free_at, event_times_[op.event]);
      return true;
    case QueuedOp::Kind::kSpan:
      return resolve_span(stream, op, released);
  }
  return false;
}

bool DeviceQueues::resolve_span(StreamState& stream, QueuedOp& op, std::vector<int>& released) {
  if (!op.has_arrived) {
    op.has_arrived = true;
    op.span.start = std::max(op.ready, stream.free_at + op.pause);
    op.span.end = op.span.start + op.duration;
    if (op.membership.unit >= 0) units_.arrive(op.membership, op.span.start, released);
  }
  if (op.membership.unit >= 0) op.span.end = units_.end_of(op.membership);
  if (op.span.end < 0) return false;
  stream.free_at = op.span.end;
  emit(op.span);
  return true;
}

void DeviceQueues::emit(DeviceSpan& span) {
  ++spans_;
  const bool is_communication = span.span_class == SpanClass::kCommunication;
  int64_t& left = is_communication ? lost_left_ : drops_left_;
  if ((is_communication || span.span_class == SpanClass::kCompute) && left > 0) {
    --left;
    ++dropped_;
    span.is_recorded = false;
  }
  observer_.on_span(rank_, span);
}

}  // namespace tauprof::generator
