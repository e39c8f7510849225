// Executes host operations: time passes, calls are made, ranges open and close.
#include "rank_host.h"

#include <algorithm>

namespace tauprof::generator {
namespace {

constexpr int64_t kStartNs = 1'000'000'000'000;
constexpr int64_t kReadCpuAfterNs = 200'000;  // after a longer pause, or call, the CPU clock is read
constexpr int64_t kRangeCostNs = 300;
constexpr int64_t kHandOverNs = 8'000;
constexpr int64_t kWakeNs = 3'000;

}  // namespace

RankHost::RankHost(const JobSpec& spec, const Communicators& communicators, CollectiveUnits& units,
                   JobObserver& observer, int rank)
    : spec_(spec),
      communicators_(communicators),
      units_(units),
      observer_(observer),
      rank_(rank),
      between_calls_ns_(spec.between_calls_ns * value_for(spec.busy_hosts, rank, 1000) / 1000),
      random_(spec.seed * 0x2545F4914F6CDD1Du + static_cast<uint64_t>(rank)),
      device_(rank, units, observer),
      now_(kStartNs) {
  now_ += random_.below(20'000);
}

void RankHost::start_program(int step) {
  step_ = step;
  next_op_ = 0;
  device_.start_program(event_count(program_), step < 0 ? 0 : value_for(spec_.drops, rank_, step),
                        step < 0 ? 0 : value_for(spec_.lost_kernels, rank_, step));
}

bool RankHost::run(std::vector<int>& released) {
  device_.resolve(released);
  while (next_op_ < program_.size() && execute(program_[next_op_], released)) ++next_op_;
  device_.resolve(released);
  return next_op_ == program_.size();
}

bool RankHost::execute(const HostOp& op, std::vector<int>& released) {
  switch (op.action) {
    case Action::kBlockingCopy:
    case Action::kStreamSync:
    case Action::kDeviceSync:
      return block(op, released);
    case Action::kWork:
      work(random_.around(op.ns, spec_.jitter_permille));
      break;
    case Action::kSleep:
      now_ += op.ns;
      break;
    case Action::kPause:
      observer_.on_recording_gap(rank_, now_, now_ + op.ns);
      now_ += op.ns;
      break;
    case Action::kSwitchThread:
      switch_thread(op.thread);
      break;
    case Action::kPushRange:
      push_range(op);
      break;
    case Action::kPopRange:
      pop_range();
      break;
    default:
      make_call(op);
      break;
  }
  return true;
}

void RankHost::make_call(const HostOp& op) {
  switch (op.action) {
    case Action::kAllocate:
      allocate(op);
      break;
    case Action::kSetDevice:
      plain_call(op, "cudaSetDevice");
      break;
    case Action::kEventRecord:
    case Action::kStreamWait:
      event_call(op);
      break;
    case Action::kGemm:
      gemm(op);
      break;
    case Action::kOrphan:
      launch_orphan(op);
      break;
    case Action::kCollective:
      collective(op);
      break;
    default:
      launch(op);
      break;
  }
}

void RankHost::work(int64_t ns) {
  now_ += ns;
  threads_[thread_].cpu_ns += ns;
}

void RankHost::switch_thread(int thread) {
  now_ += random_.around(kHandOverNs, 300);
  thread_ = thread;
}

void RankHost::push_range(const HostOp& op) {
  work(kRangeCostNs);
  HostRange& range = threads_[thread_].ranges.emplace_back();
  range.name = op.name;
  range.thread = thread_;
  range.is_annotation = spec_.marker == StepMarker::kAnnotation;
  range.has_phase = op.has_phase;
  range.phase = op.phase;
  if (op.is_step_marker) range.step_marker = step_;
  range.start = now_;
}

void RankHost::pop_range() {
  work(kRangeCostNs);
  HostRange& range = threads_[thread_].ranges.back();
  range.end = now_;
  observer_.on_range(rank_, range);
  threads_[thread_].ranges.pop_back();
}

HostCall RankHost::start_call(const HostOp& op, std::string_view function, CallRole role) {
  work(random_.around(between_calls_ns_, 300));
  HostCall call;
  call.function = function;
  call.role = role;
  call.thread = thread_;
  call.start = now_;
  call.correlation = ++correlation_;
  call.step = step_;
  call.phase = op.phase;
  ThreadState& thread = threads_[thread_];
  if (thread.last_call_end < 0 || now_ - thread.last_call_end > kReadCpuAfterNs) call.thread_cpu_ns = thread.cpu_ns;
  return call;
}

void RankHost::end_call(HostCall& call, int64_t end) {
  call.end = end;
  now_ = end;
  threads_[thread_].last_call_end = end;
  if (end - call.start > kReadCpuAfterNs) call.end_cpu_ns = threads_[thread_].cpu_ns;
  ++calls_;
  observer_.on_call(rank_, call);
}

void RankHost::plain_call(const HostOp& op, std::string_view function) {
  HostCall call = start_call(op, function, CallRole::kOther);
  work(call_duration());
  end_call(call, now_);
}

void RankHost::allocate(const HostOp& op) {
  HostCall call = start_call(op, "cudaMalloc", CallRole::kAllocation);
  work(op.ns);
  end_call(call, now_);
}

void RankHost::event_call(const HostOp& op) {
  const bool is_wait = op.action == Action::kStreamWait;
  HostCall call = start_call(op, is_wait ? "cudaStreamWaitEvent" : "cudaEventRecord",
                             is_wait ? CallRole::kStreamWait : CallRole::kOther);
  call.stream = op.stream;
  call.event = 0x7F00'0000 + 0x1'0000'0000 * rank_ + 0x40 * op.event;  // no two of a process are alike
  QueuedOp queued;
  queued.kind = is_wait ? QueuedOp::Kind::kWait : QueuedOp::Kind::kRecord;
  queued.event = op.event;
  queued.ready = call.start;
  device_.push(op.stream, queued);
  work(call_duration());
  end_call(call, now_);
}

bool RankHost::is_awaited_drained(const HostOp& op) const {
  for (int stream = 0; stream < kStreams; ++stream) {
    const bool is_awaited = op.action == Action::kDeviceSync || stream == op.stream;
    if (is_awaited && !device_.is_drained(stream)) return false;
  }
  return true;
}

int64_t RankHost::awaited_until(const HostOp& op) const {
  int64_t until = 0;
  for (int stream = 0; stream < kStreams; ++stream) {
    const bool is_awaited = op.action == Action::kDeviceSync || stream == op.stream;
    if (is_awaited) until = std::max(until, device_.free_at(stream));
  }
  return until;
}

// False while the end of the device's work is unknown: the operation is executed again later.
bool RankHost::block(const HostOp& op, std::vector<int>& released) {
  if (!is_blocked_) {
    is_blocked_ = true;
    if (op.action == Action::kBlockingCopy) {
      blocked_call_ = start_call(op, "cudaMemcpy", CallRole::kBlockingCopy);
      blocked_call_.bytes = op.bytes;
      blocked_call_.copy_kind = op.copy_kind;
      blocked_call_.stream = op.stream;
      enqueue(op, blocked_call_, false);
    } else {
      const bool is_device = op.action == Action::kDeviceSync;
      blocked_call_ = start_call(op, is_device ? "cudaDeviceSynchronize" : "cudaStreamSynchronize", CallRole::kSync);
      if (!is_device) blocked_call_.stream = op.stream;
    }
    work(call_duration());
  }
  device_.resolve(released);
  if (!is_awaited_drained(op)) return false;
  is_blocked_ = false;
  // It waits by spinning, as CUDA does by default.
  work(std::max<int64_t>(0, awaited_until(op) + kWakeNs - now_));
  end_call(blocked_call_, now_);
  return true;
}

}  // namespace tauprof::generator
