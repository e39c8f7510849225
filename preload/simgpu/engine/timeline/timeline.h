// What runs when on the devices: the heart of the simulation.
//
// Operations form a graph: each waits for its predecessors (the one before it on its stream, events, the legacy default
// stream), then for its part of the device, then it takes its time. The timeline is computed, not measured: advance()
// works off everything that happens up to the present, in the order of the times at which it happens, so that a thread
// that comes late finds the same times as one that came in time. Only the present is known, because work that is
// submitted later may slow down what runs now; so advance() never goes beyond host_now().
//
//   Kernels share the SMs: the first come (of those with the highest priority) takes what it can fill, the next what is
//   left; a kernel for which nothing is left does not start. A kernel that gets half of what it can fill runs at half
//   speed. Communication kernels always get their SMs, which slows down the kernels beside them. Each copy engine takes
//   one copy at a time.
//
//   Example: kernel A (fills the device, 10 ms) starts at 0; a collective that takes 10 % of the SMs runs from 2 ms to
//   4 ms. A has done 2 ms of its work by 2 ms, 3.8 ms by 4 ms, and ends at 10.2 ms.
//
// The end of a collective is decided among processes and may become known after it has passed. Then its followers start
// in the past, at their right time; what ran beside them meanwhile is not slowed down retroactively. Starts and ends on
// one stream are in order all the same.
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

  // `operation` starts when all of `predecessors` are over (null and finished ones are fine).
  void submit(const OperationRef& operation, const std::vector<OperationRef>& predecessors);
  void advance(Nanoseconds now);
  // The end of an operation whose end this process's threads decide.
  void finish_host_function(const OperationRef& operation, Nanoseconds end);
  void abandon(const OperationRef& operation, Nanoseconds now);
  void abandon_device(int device, Nanoseconds now);

  // The time of the next start or end that is foreseen; INT64_MAX: nothing is.
  Nanoseconds next_event() const;
  // Signalled whenever something has ended.
  std::condition_variable& progress() { return progress_; }

  bool any_kernel_running(int device) const;
  // Operations that somebody outside waits for (collectives, host functions) and that have not started: the engine's
  // thread must work them off in time.
  const std::vector<OperationRef>& awaited_outside() const { return awaited_outside_; }
  bool awaits_peers() const;

  // The host functions that are due, in order.
  std::deque<OperationRef>& due_host_functions() { return due_host_functions_; }

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
  std::condition_variable progress_;
};

// How long the operation will take if it has the device for itself, with jitter and injections.
Nanoseconds effective_duration(const Operation& operation, Nanoseconds at);

}  // namespace simgpu
