#include "metrics/ledger/idle_cause.h"

#include <algorithm>
#include <cmath>

#include "limits/analysis_limits.h"
#include "phases/range_phases.h"
#include "steps/launching_threads.h"

namespace tauprof {
namespace {

// Puts them in order; those that touch become one.
void join_touching(std::vector<Interval>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  size_t kept = 0;
  for (const Interval& range : ranges)
    if (kept > 0 && range.start <= ranges[kept - 1].end)
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    else
      ranges[kept++] = range;
  ranges.resize(kept);
}

}  // namespace

IdleCause::IdleCause(const ProcessTrace& trace, const DeviceTrace& device, const PhaseRules& rules)
    : trace_(trace), device_(device), holds_(trace, device), stalls_(trace) {
  for (const HostCall& call : trace_.calls) first_start_ = std::min(first_start_, call.start);
  // Ranges show work of the program before its first call.
  for (const HostRange& range : trace_.ranges) first_start_ = std::min(first_start_, range.start);
  index_calls();
  index_ranges(rules);
}

void IdleCause::index_calls() {
  context_.resize(trace_.calls.size());
  first_outermost_.push_back(0);
  for (size_t thread = 0; thread + 1 < trace_.first_call.size(); ++thread) {
    const uint32_t begin = trace_.first_call[thread], end = trace_.first_call[thread + 1];
    bool after_update = false;
    Nanoseconds sync_until = INT64_MIN;
    Nanoseconds classified_until = INT64_MIN;
    for (uint32_t i = begin; i < end; ++i) {
      const HostCall& call = trace_.calls[i];
      if (call.outer == kNoIndex) outermost_.push_back(i);
      context_[i].outermost = static_cast<uint32_t>(outermost_.size() - 1);
      if (call.outer == kNoIndex) classified_until = INT64_MIN;
      if (tells_its_row(call)) classified_until = std::max(classified_until, call.end);
      context_[i].classified_until = classified_until;
      if (launches_work(call.call_class)) {
        sync_until = INT64_MIN;
        if (is_in(call.phase, kUpdatePhases))
          after_update = true;
        else if (call.is_input_copy || is_in(call.phase, kPassPhases))
          after_update = false;
      }
      if (blocks_host(call.call_class)) sync_until = call.end + kLaunchAgain;
      context_[i].sync_until = sync_until;
      context_[i].after_update = after_update;
    }
    uint32_t next_launch = kNoIndex;
    for (uint32_t i = end; i-- > begin;) {
      context_[i].next_launch = next_launch;
      if (launches_work(trace_.calls[i].call_class)) next_launch = i;
    }
    first_outermost_.push_back(static_cast<uint32_t>(outermost_.size()));
  }
}

void IdleCause::index_ranges(const PhaseRules& rules) {
  loader_ranges_.resize(trace_.threads.size());
  for (const FrameworkMark& mark : trace_.marks)
    if (mark.kind == MarkKind::kFetch) loader_ranges_[mark.thread].push_back({mark.start, mark.end});
  RangePhases phases(trace_, rules);
  for (const HostRange& range : trace_.ranges)
    if (phases.of(range) == Phase::kDataloadWait) loader_ranges_[range.thread].push_back({range.start, range.end});
  for (std::vector<Interval>& ranges : loader_ranges_) join_touching(ranges);
}

const std::vector<IdlePiece>& IdleCause::explain(Interval gap, uint32_t ending_span) {
  pieces_.clear();
  if (ending_span == kNoIndex) {
    const uint16_t thread = main_thread(trace_);
    if (thread + 1u < first_outermost_.size())
      explain_host(gap, thread, first_outermost_[thread + 1]);
    else
      add(gap.start, gap.end, {LedgerRow::kIdleOther});
    return pieces_;
  }
  const uint32_t launch = device_.spans[ending_span].call;
  if (launch == kNoIndex) {
    add(gap.start, gap.end, {LedgerRow::kIdleOther});
    return pieces_;
  }
  const IdleReason held{LedgerRow::kIdleDependency, holds_.is_inferred()};
  const Nanoseconds returned = std::clamp(trace_.calls[launch].end, gap.start, gap.end);
  if (returned > gap.start)
    explain_host({gap.start, returned}, trace_.calls[launch].thread, context_[launch].outermost + 1);
  if (gap.end > returned)
    add(returned, gap.end, holds_.is_held(ending_span) ? held : IdleReason{LedgerRow::kIdleDeviceLatency});
  return pieces_;
}

void IdleCause::add(Nanoseconds start, Nanoseconds end, IdleReason reason) {
  if (end <= start) return;
  if (pieces_.empty() || pieces_.back().row != reason.row || pieces_.back().is_inferred != reason.is_inferred)
    pieces_.push_back({{start, start}, reason.row, reason.is_inferred});
  pieces_.back().time.end = end;
  pieces_.back().on_cpu += std::llround(reason.on_cpu * static_cast<double>(end - start));
}

void IdleCause::explain_host(Interval time, uint16_t thread, uint32_t last) {
  const auto begin = outermost_.begin() + first_outermost_[thread],
             end = outermost_.begin() + first_outermost_[thread + 1];
  // The last of them that starts before the gap.
  auto call = std::upper_bound(begin, outermost_.begin() + last, time.start,
                               [&](Nanoseconds at, uint32_t one) { return at < trace_.calls[one].start; });
  if (call != begin) --call;
  Nanoseconds now = time.start;
  for (; call != end && now < time.end; ++call) {
    const HostCall& current = trace_.calls[*call];
    if (current.start > now) {
      const Nanoseconds until = std::min(current.start, time.end);
      const uint32_t previous = call == begin ? kNoIndex : *(call - 1);
      add_between(now, until, previous, *call);
      now = until;
    }
    const Nanoseconds until = std::min(current.end, time.end);
    if (until > now) add_call(now, until, *call);
    now = std::max(now, until);
  }
  add(now, time.end, {LedgerRow::kIdleOther});
}

// One past the calls inside this outermost call.
uint32_t IdleCause::after_inner(uint32_t index) const {
  const uint32_t next = context_[index].outermost + 1, thread_end = first_outermost_[trace_.calls[index].thread + 1];
  return next < thread_end ? outermost_[next] : trace_.first_call[trace_.calls[index].thread + 1];
}

void IdleCause::add_call(Nanoseconds start, Nanoseconds end, uint32_t index) {
  const HostCall& call = trace_.calls[index];
  if (tells_its_row(call)) return add_classified_call(start, end, call.call_class);
  if (!launches_work(call.call_class)) {
    const Nanoseconds until = std::clamp(context_[index].sync_until, start, end);
    add(start, until, {LedgerRow::kIdleHostSync});
    start = until;
  }
  // A library call may contain calls that block or allocate.
  const uint32_t last = after_inner(index);
  const auto first = std::partition_point(context_.begin() + index + 1, context_.begin() + last,
                                          [&](const CallContext& one) { return one.classified_until <= start; });
  for (auto inner = static_cast<uint32_t>(first - context_.begin());
       inner < last && start < end && trace_.calls[inner].start < end; ++inner) {
    const HostCall& inner_call = trace_.calls[inner];
    if (!tells_its_row(inner_call) || inner_call.end <= start) continue;
    const Nanoseconds from = std::max(start, inner_call.start);
    add(start, from, {LedgerRow::kIdleHostLaunch});
    start = std::min(end, inner_call.end);
    add_classified_call(from, start, inner_call.call_class);
  }
  add(start, end, {LedgerRow::kIdleHostLaunch});
}

// The device has done what a synchronisation waits for, so the call should return; if it does not, its thread stands
// still. Where a process drives several devices it may wait for another one.
void IdleCause::add_classified_call(Nanoseconds start, Nanoseconds end, CallClass call) {
  const bool waits_for_this = call == CallClass::kSync && trace_.devices.size() == 1;
  const Nanoseconds until = waits_for_this ? std::min(end, start + kLaunchAgain) : end;
  add(start, until, {row_inside(call)});
  add(until, end, {LedgerRow::kIdleHostStall, true});
}

void IdleCause::add_between(Nanoseconds start, Nanoseconds end, uint32_t previous, uint32_t next) {
  const Between reasons = between(previous, next);
  const auto add_reasons = [&](Nanoseconds from, Nanoseconds to) {
    const Nanoseconds until = std::clamp(reasons.sync_until, from, to);
    add(from, until, {LedgerRow::kIdleHostSync});
    add(until, to, reasons.otherwise);
  };
  const std::vector<Interval>& loading = loader_ranges_[trace_.calls[next].thread];
  auto range = std::lower_bound(loading.begin(), loading.end(), start,
                                [](const Interval& a, Nanoseconds time) { return a.end <= time; });
  for (; start < end && range != loading.end() && range->start < end; ++range) {
    add_reasons(start, std::max(start, range->start));
    start = std::max(start, range->start);
    add(start, std::min(end, range->end), {LedgerRow::kIdleDataWait});
    start = std::min(end, range->end);
  }
  add_reasons(start, end);
}

const std::vector<IdlePiece>& IdleCause::pieces_between(Interval time, uint32_t previous, uint32_t next) {
  pieces_.clear();
  add_between(time.start, time.end, previous, next);
  return pieces_;
}

bool IdleCause::is_seen(uint32_t previous, uint32_t next) const {
  return previous != kNoIndex && trace_.calls[next].start - trace_.calls[previous].end > kSeenStretch;
}

IdleCause::Between IdleCause::between(uint32_t previous, uint32_t next) {
  const Nanoseconds end = trace_.calls[next].start;
  const Interval stretch{previous == kNoIndex ? end : trace_.calls[previous].end, end};
  const Nanoseconds sync_until = previous == kNoIndex ? INT64_MIN : context_[previous].sync_until;
  const Interval outside = longest_outside_of_loading(stretch, trace_.calls[next].thread);
  const bool may_load = loader_ranges_[trace_.calls[next].thread].empty() || outside.length() <= kSeenStretch;
  if (may_load && (is_seen(previous, next) || sync_until <= stretch.start) && precedes_input(previous, next))
    return {{LedgerRow::kIdleDataWait, true}};
  const bool was_seen = is_seen(previous, next) && outside.length() > kSeenStretch;
  if (was_seen && stalls_.is_off_cpu(outside, next)) {
    const auto on_cpu = static_cast<double>(stalls_.on_cpu(outside, next));
    return {{LedgerRow::kIdleHostStall, false, on_cpu / static_cast<double>(outside.length())}};
  }
  // Before its first call a thread was waiting for others.
  const Interval before = previous == kNoIndex ? Interval{first_start_, end} : outside;
  if (stalls_.is_silent(before, next)) return {{LedgerRow::kIdleHostStall, true}, sync_until};
  return {{LedgerRow::kIdleHostLaunch, was_seen && !stalls_.has_cpu_clocks()}, sync_until};
}

// Where a thread says when it loads, what it does for long outside of that (logging) is its own.
Interval IdleCause::longest_outside_of_loading(Interval stretch, uint16_t thread) const {
  const std::vector<Interval>& loading = loader_ranges_[thread];
  auto range = std::lower_bound(loading.begin(), loading.end(), stretch.start,
                                [](const Interval& a, Nanoseconds time) { return a.end <= time; });
  Interval longest{stretch.start, stretch.start};
  const auto take = [&](Nanoseconds start, Nanoseconds end) {
    if (end - start > longest.length()) longest = {start, end};
  };
  for (; range != loading.end() && range->start < stretch.end; ++range) {
    take(stretch.start, range->start);
    stretch.start = std::min(range->end, stretch.end);
  }
  take(stretch.start, stretch.end);
  return longest;
}

// Between the step's update and its next input copy.
bool IdleCause::precedes_input(uint32_t previous, uint32_t next) const {
  if (previous == kNoIndex || !context_[previous].after_update) return false;
  const uint32_t launch = launches_work(trace_.calls[next].call_class) ? next : context_[next].next_launch;
  return launch != kNoIndex && trace_.calls[launch].is_input_copy;
}

}  // namespace tauprof
