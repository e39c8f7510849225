// Why a device was idle (docs/metrics.md, "The time ledger").
//
// An idle gap is charged to the span X that ends it and to the thread T that launched X with call L; one that no span
// ends any more, to what the main thread does then. Example, a gap from 100 to 160 µs: T is in cudaStreamSynchronize
// until 110, prepares until 140, is in cudaLaunchKernel from 140 to 150, and X starts at 160:
//
//   100  110        140      150      160
//    |sync|·········|launch L|·········|X
//    idle_host_sync | in L   | idle_device_latency, or idle_dependency if an event held X
//
// Time inside L is idle_host_launch; inside a call that allocates or creates something, idle_host_allocation; inside a
// synchronisation idle_host_sync for 200 µs at most, since the device has nothing left to do, and then idle_host_stall
// (inferred). Between calls, time in a loader's range is idle_data_wait. For other time between calls, the first that
// applies:
//   idle_data_wait    between the step's update and its next input copy, but not for long (200 µs) outside of the
//                     ranges of a loader, if the thread has any
//   idle_host_stall   the thread was off the CPU for most of the stretch, by its CPU clock
//   idle_host_sync    after a blocking call, up to the next launch, but for 200 µs at most: the host needs that to
//                     launch again. Any longer work is its own
//   idle_host_stall   without CPU clocks (inferred): for more than a millisecond no operator of the thread started or
//                     ended, though operators were recorded, nor of the thread that launched since, after it did
//   idle_host_launch  a busy host
// Right after a blocking call, a wait for data or a stall counts as such only if it is long enough to be seen (200 µs);
// shorter stretches belong to the blocking call.
#pragma once

#include <vector>

#include "metrics/ledger/host_stalls.h"
#include "metrics/ledger/stream_holds.h"
#include "model/ledger.h"
#include "model/process_trace.h"
#include "phases/phase_rules.h"

namespace tauprof {

// `is_inferred`: concluded from what usually happens at this point of a step, not from a record that says so.
// `on_cpu`: the part of a stall in which the thread ran all the same.
struct IdleReason {
  LedgerRow row;
  bool is_inferred = false;
  double on_cpu = 0;
};

// The row of a thread's time inside a call of this class.
constexpr LedgerRow row_inside(CallClass call) {
  if (blocks_host(call)) return LedgerRow::kIdleHostSync;
  return call == CallClass::kAllocation ? LedgerRow::kIdleHostAllocation : LedgerRow::kIdleHostLaunch;
}
constexpr bool tells_its_row(const HostCall& call) { return row_inside(call.call_class) != LedgerRow::kIdleHostLaunch; }

struct IdlePiece {
  Interval time;
  LedgerRow row;
  bool is_inferred = false;
  Nanoseconds on_cpu = 0;  // of a stall: how long the thread ran all the same
};

class IdleCause {
 public:
  IdleCause(const ProcessTrace& trace, const DeviceTrace& device, const PhaseRules& rules = PhaseRules::shipped());

  // Divides `gap` into pieces, in order and without holes. `ending_span` is kNoIndex after the last one. The reference
  // is valid until the next call.
  const std::vector<IdlePiece>& explain(Interval gap, uint32_t ending_span);

  // Divides `time`, between two consecutive outermost calls of a thread, whether or not a device is idle. `previous` is
  // kNoIndex before the first. In order and without holes; valid until the next call.
  const std::vector<IdlePiece>& pieces_between(Interval time, uint32_t previous, uint32_t next);

 private:
  // Reasons for a thread's time between two of its calls: the blocking call before, until `sync_until`, `otherwise`
  // after it.
  struct Between {
    IdleReason otherwise;
    Nanoseconds sync_until = INT64_MIN;
  };
  struct CallContext {
    uint32_t next_launch = kNoIndex;     // the first launching call after this one, on its thread
    uint32_t outermost = 0;              // position in outermost_ of the call around this one, or of this one
    Nanoseconds sync_until = INT64_MIN;  // a blocking call came before, and no launch since; min: none
    bool after_update = false;           // the last work launched was the step's update
    // The latest end so far of the calls inside its outermost call that have a row of their own.
    Nanoseconds classified_until = INT64_MIN;
  };

  void index_calls();
  void index_ranges(const PhaseRules& rules);
  // By the thread's calls up to this one of outermost_.
  void explain_host(Interval time, uint16_t thread, uint32_t last);
  void add(Nanoseconds start, Nanoseconds end, IdleReason reason);
  void add_between(Nanoseconds start, Nanoseconds end, uint32_t previous, uint32_t next);
  Between between(uint32_t previous, uint32_t next);
  void add_call(Nanoseconds start, Nanoseconds end, uint32_t call);
  void add_classified_call(Nanoseconds start, Nanoseconds end, CallClass call);
  uint32_t after_inner(uint32_t call) const;
  bool is_seen(uint32_t previous, uint32_t next) const;  // long enough to tell a wait or a stall from overhead
  bool precedes_input(uint32_t previous, uint32_t next) const;
  Interval longest_outside_of_loading(Interval stretch, uint16_t thread) const;

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  std::vector<CallContext> context_;       // of each call
  std::vector<uint32_t> outermost_;        // calls inside no other, by thread and start
  std::vector<uint32_t> first_outermost_;  // of each thread, and one past the last
  StreamHolds holds_;
  HostStalls stalls_;
  std::vector<std::vector<Interval>> loader_ranges_;  // by thread
  Nanoseconds first_start_ = INT64_MAX;               // of all calls and ranges
  std::vector<IdlePiece> pieces_;
};

}  // namespace tauprof
