// One rank's host: runs programs in virtual time, making calls and handing work to the device. It
// stops when it waits for the device and continues once the device's times are known.
#pragma once

#include <cstdint>
#include <vector>

#include "collective_units.h"
#include "device_queues.h"
#include "job_events.h"
#include "job_spec.h"
#include "random.h"
#include "step_program.h"

namespace tauprof::generator {

class RankHost {
 public:
  RankHost(const JobSpec& spec, const Communicators& communicators, CollectiveUnits& units, JobObserver& observer,
           int rank);

  // The program to run next: filled by the caller, then run.
  std::vector<HostOp>& program() { return program_; }
  void start_program(int step);

  // Runs as far as possible; true when the program is done. Appends ranks that can continue to `released`.
  bool run(std::vector<int>& released);

  int64_t events() const { return calls_ + device_.spans(); }
  int64_t dropped_spans() const { return device_.dropped_spans(); }
  int64_t now() const { return now_; }

 private:
  struct ThreadState {
    int64_t cpu_ns = 5'000'000;
    int64_t last_call_end = -1;
    std::vector<HostRange> ranges;
  };

  bool execute(const HostOp& op, std::vector<int>& released);
  void work(int64_t ns);
  void switch_thread(int thread);
  void push_range(const HostOp& op);
  void pop_range();

  HostCall start_call(const HostOp& op, std::string_view function, CallRole role);
  void end_call(HostCall& call, int64_t end);
  int64_t call_duration() { return random_.around(spec_.call_ns, 250); }
  void make_call(const HostOp& op);
  void plain_call(const HostOp& op, std::string_view function);

  void allocate(const HostOp& op);
  void event_call(const HostOp& op);
  void launch(const HostOp& op);
  void launch_orphan(const HostOp& op);
  void gemm(const HostOp& op);
  int64_t member_count(const HostOp& op) const;
  HostCall start_collective(const HostOp& op, log::Operation operation, CallRole role);
  void collective(const HostOp& op);
  void collective_group(const HostOp& op);
  void group_call(const HostOp& op, log::Operation operation, int peer, HostCall& whole);
  void enqueue_collective(const HostOp& op, const HostCall& launch, const HostCall& what);
  void enqueue(const HostOp& op, const HostCall& call, bool is_inside_library);
  QueuedOp queued_span(const HostOp& op, int64_t launched);
  bool block(const HostOp& op, std::vector<int>& released);
  bool is_awaited_drained(const HostOp& op) const;
  int64_t awaited_until(const HostOp& op) const;

  const JobSpec& spec_;
  const Communicators& communicators_;
  CollectiveUnits& units_;
  JobObserver& observer_;
  const int rank_;
  const int64_t between_calls_ns_;
  Random random_;
  DeviceQueues device_;
  std::vector<HostOp> program_;
  size_t next_op_ = 0;
  int step_ = -1;
  int64_t now_;
  int thread_ = kMainThread;
  ThreadState threads_[kThreads];
  bool is_blocked_ = false;
  HostCall blocked_call_;
  int64_t correlation_ = 0;
  int64_t sequences_[kCommunicatorRoles] = {};
  int64_t groups_ = 0;
  int64_t calls_ = 0;
};

}  // namespace tauprof::generator
