#include "metrics/ledger/device_sweep.h"

#include <algorithm>

namespace tauprof {

void ActiveSpans::start(uint32_t span) {
  const auto which = static_cast<size_t>(spans_[span].span_class);
  const auto phase = static_cast<size_t>(spans_[span].phase);
  by_end_.emplace(spans_[span].end, span);
  auto& by_launch = by_launch_[which];
  if (count_[which]++ == 0) by_launch.clear();
  by_launch.emplace_back(launch_time(span), span);
  std::push_heap(by_launch.begin(), by_launch.end());
  if (phase_count_[phase]++ == 0) phase_bits_ |= 1u << phase;
  if (spans_[span].span_class != SpanClass::kComm) return;
  comm_position_[span] = comm_.size();
  comm_.push_back(span);
}

void ActiveSpans::remove(uint32_t span) {
  const auto which = static_cast<size_t>(spans_[span].span_class);
  const auto phase = static_cast<size_t>(spans_[span].phase);
  --count_[which];
  if (--phase_count_[phase] == 0) phase_bits_ &= ~(1u << phase);
  if (spans_[span].span_class != SpanClass::kComm) return;
  const auto known = comm_position_.find(span);
  comm_position_[comm_.back()] = known->second;
  comm_[known->second] = comm_.back();
  comm_.pop_back();
  comm_position_.erase(span);
}

uint32_t ActiveSpans::latest(SpanClass span_class) {
  auto& by_launch = by_launch_[static_cast<size_t>(span_class)];
  while (spans_[by_launch.front().second].end <= now_) {
    std::pop_heap(by_launch.begin(), by_launch.end());
    by_launch.pop_back();
  }
  return by_launch.front().second;
}

}  // namespace tauprof
