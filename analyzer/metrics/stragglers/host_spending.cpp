#include "metrics/stragglers/host_spending.h"

#include <algorithm>
#include <numeric>

#include "limits/analysis_limits.h"
#include "phases/call_order.h"

namespace tauprof {

std::vector<HostSpending> host_spending(const ProcessTrace& trace, IdleCause& idle,
                                        const std::vector<uint32_t>& launches, const HostStretches& tell) {
  std::vector<HostSpending> result(launches.size());
  if (launches.empty()) return result;
  std::vector<size_t> order(launches.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return trace.calls[launches[a]].start < trace.calls[launches[b]].start; });
  HostSpending spent;
  size_t next = 0;
  uint32_t previous = kNoIndex;
  Nanoseconds now = 0;
  const auto spend = [&](uint16_t thread, Interval time, LedgerRow row) {
    spent.add(row, time.length());
    if (row != LedgerRow::kIdleHostLaunch || time.length() > kSeenStretch) tell(thread, time, row);
  };
  for (const uint32_t i : outermost_calls_in_order(trace)) {
    const HostCall& call = trace.calls[i];
    if (previous == kNoIndex) now = call.start;
    if (call.start > now) {
      const Interval between{now, call.start};
      if (trace.calls[previous].thread != call.thread)
        spend(call.thread, between, LedgerRow::kIdleHostLaunch);
      else
        for (const IdlePiece& piece : idle.pieces_between(between, previous, i)) {
          if (piece.row == LedgerRow::kIdleHostSync)
            spent.add(piece.row, piece.time.length());  // of the call before, and short
          else
            spend(call.thread, piece.time, piece.row);
        }
      now = call.start;
    }
    // A launch inside a library call counts from that call's start.
    for (; next < order.size() && trace.calls[launches[order[next]]].start < call.end; ++next)
      if (trace.calls[launches[order[next]]].start >= call.start) result[order[next]] = spent;
    if (call.end > now) spend(call.thread, {now, call.end}, row_inside(call.call_class));
    now = std::max(now, call.end);
    previous = i;
  }
  return result;
}

}  // namespace tauprof
