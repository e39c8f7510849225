// Schedules operations on the devices: the core of the simulation.
//
// Operations form a graph. Each waits for its predecessors (the operation before it on its stream, events, the legacy
// default stream), then for its share of the device, and then runs for its duration. The timeline is computed, not
// measured: advance() processes all starts and ends up to the present in the order of their times, so a thread that
// calls it late finds the same times as one that calls it in time. The future is unknown, because work that is
// submitted later may slow down what runs now, so advance() never goes beyond host_now().
//
//   Kernels share the SMs by priority, then first come, first served: the first kernel takes what it can fill, the next
//   takes what is left, and a kernel for which nothing is left does not start. A kernel that gets half of what it can
//   fill runs at half speed. Communication kernels always get their SMs, which slows down the kernels that run at the
//   same time. Each copy engine runs one copy at a time.
//
//   Example: kernel A (fills the device, 10 ms) starts at 0. A collective that takes 10 % of the SMs runs from 2 ms to
//   4 ms. A has done 2 ms of its work at 2 ms and 3.8 ms at 4 ms; it ends at 10.2 ms.
//
// Several processes decide when a collective ends, and its end may become known only after it has passed. Then its
// followers start in the past, at the right time, but what ran meanwhile is not slowed down retroactively. Starts and
// ends on one stream stay in order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <queue>
#include <vector>

#include "simgpu/engine/timeline/operation_state.h"

namespace simgpu {

// All functions need the engine's lock.
class Timeline {
 public:
  static Timeline& get();

  // `operation` starts after all `predecessors` are over. Null and finished predecessors are allowed.
  void submit(const OperationRef& operation, const std::vector<OperationRef>& predecessors);
  void advance(Nanoseconds now);
  // Ends a host function, which ends when the callback thread says so.
  void finish_host_function(const OperationRef& operation, Nanoseconds end);
  void abandon(const OperationRef& operation, Nanoseconds now);
  void abandon_device(int device, Nanoseconds now);

  // The time of the next expected start or end; INT64_MAX: none.
  Nanoseconds next_event() const;
  // Notified whenever an operation has ended.
  std::condition_variable& progress() { return progress_; }

  bool any_kernel_running(int device) const;
  // Operations that have not started and that something outside the timeline waits for: collectives and host functions.
  // The engine's thread must advance the timeline to their start in time.
  const std::vector<OperationRef>& awaited_outside() const { return awaited_outside_; }
  bool awaits_peers() const;

  // The host functions that the callback thread must run now, in order. host_function_due() is notified of each.
  std::deque<OperationRef>& due_host_functions() { return due_host_functions_; }
  std::condition_variable& host_function_due() { return host_function_due_; }

 private:
  struct StartsLater {
    bool operator()(const OperationRef& a, const OperationRef& b) const {
      return a->ready != b->ready ? a->ready > b->ready : a->id > b->id;
    }
  };
  struct DeviceState {
    std::vector<OperationRef> kernels;    // running, in the order in which they get SMs
    std::vector<OperationRef> transfers;  // running
    std::vector<OperationRef> waiting_kernels;
    OperationRef copying[3];
    std::deque<OperationRef> waiting_copies[3];
  };

  DeviceState& state_of(int device);
  void queue(const OperationRef& operation);
  void ask_peers();
  OperationRef earliest_end() const;
  void try_start(const OperationRef& operation);
  bool begin_copy(DeviceState& device, const OperationRef& operation);
  void start(const OperationRef& operation, Nanoseconds at);
  void end(const OperationRef& operation);
  void release(const OperationRef& operation);
  void start_waiting_kernels(DeviceState& device, Nanoseconds at);
  double leave_to_kernels(const DeviceState& device) const;
  double share_kernels(DeviceState& device, Nanoseconds at);
  void report(const Operation& operation) const;
  void forget_awaited(const OperationRef& operation);

  std::vector<DeviceState> devices_;
  std::priority_queue<OperationRef, std::vector<OperationRef>, StartsLater> queued_;
  std::vector<OperationRef> running_;
  std::vector<OperationRef> awaited_outside_;
  std::deque<OperationRef> due_host_functions_;
  std::condition_variable host_function_due_;
  std::condition_variable progress_;
};

// How long the operation takes if it has the device for itself, with jitter and injections.
Nanoseconds effective_duration(const Operation& operation, Nanoseconds at);

}  // namespace simgpu
