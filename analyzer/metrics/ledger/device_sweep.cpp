#include "metrics/ledger/device_sweep.h"

#include <algorithm>

namespace tauprof {

void ActiveSpans::start(uint32_t span) {
  const auto which = static_cast<size_t>(spans_[span].span_class);
  const auto phase = static_cast<size_t>(spans_[span].phase);
  by_end_.emplace(spans_[span].end, span);
  by_launch_[which].emplace(launch_time(span), span);
  ++count_[which];
  if (phase_count_[phase]++ == 0) phase_bits_ |= 1u << phase;
  if (spans_[span].span_class == SpanClass::kComm) comm_.push_back(span);
}

void ActiveSpans::remove(uint32_t span) {
  const auto which = static_cast<size_t>(spans_[span].span_class);
  const auto phase = static_cast<size_t>(spans_[span].phase);
  --count_[which];
  if (--phase_count_[phase] == 0) phase_bits_ &= ~(1u << phase);
  if (spans_[span].span_class == SpanClass::kComm) comm_.erase(std::find(comm_.begin(), comm_.end(), span));
}

uint32_t ActiveSpans::latest(SpanClass span_class) {
  auto& queue = by_launch_[static_cast<size_t>(span_class)];
  while (spans_[queue.top().second].end <= now_) queue.pop();
  return queue.top().second;
}

}  // namespace tauprof
