#include "steps/loop_events.h"

#include <algorithm>
#include <optional>

namespace tauprof {
namespace {

using Kind = LoopEvent::Kind;

Kind kind_of(const FrameworkMark& mark) {
  switch (mark.kind) {
    case MarkKind::kFetch:
      return Kind::kFetch;
    case MarkKind::kForward:
      return mark.has_gradients ? Kind::kPass : Kind::kEvaluation;
    case MarkKind::kBackward:
    case MarkKind::kUpdate:
      return Kind::kPass;
    case MarkKind::kZeroGrad:
      return Kind::kClearing;
    default:
      return Kind::kEnd;
  }
}

// nullopt: it neither launches nor waits.
std::optional<Kind> kind_of(const HostCall& call, bool is_after_copy) {
  if (call.is_input_copy) return Kind::kInputCopy;
  if (call.call_class == CallClass::kSync) return is_after_copy ? Kind::kInputCopy : Kind::kEnd;
  if (blocks_host(call.call_class) || call.call_class == CallClass::kCollective) return Kind::kEnd;
  return launches_work(call.call_class) ? std::optional(Kind::kWork) : std::nullopt;
}

}  // namespace

std::vector<LoopEvent> loop_events(const ProcessTrace& trace, uint16_t thread, const std::vector<FrameworkMark>& marks,
                                   const CaptureTimes& captures) {
  std::vector<LoopEvent> events;
  for (const FrameworkMark& mark : marks)
    if (events.empty() || mark.start >= events.back().end) events.push_back({mark.start, mark.end, kind_of(mark)});
  const size_t outermost_marks = events.size();
  size_t next = 0;
  bool is_after_copy = false, has_launched = true;
  for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) {
    const HostCall& call = trace.calls[i];
    while (next < outermost_marks && events[next].end <= call.start) {
      is_after_copy = false;
      has_launched = true;
      ++next;
    }
    const bool is_marked = next < outermost_marks && events[next].start <= call.start;
    if (call.outer != kNoIndex || is_marked || captures.has(call.start)) continue;
    const std::optional<Kind> kind = kind_of(call, is_after_copy);
    if (!kind) continue;
    is_after_copy = kind == Kind::kInputCopy;
    const bool is_wait = call.call_class == CallClass::kSync;
    events.push_back({call.start, call.end, *kind, is_wait && !has_launched});
    has_launched = !is_wait;
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const LoopEvent& a, const LoopEvent& b) { return a.start < b.start; });
  return events;
}

}  // namespace tauprof
