#include "phases/resume_times.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "steps/launching_threads.h"

namespace tauprof {
namespace {

struct Resumption {
  uint32_t call = 0;     // the main thread's next call
  Nanoseconds gap = 0;   // from the end of the pass to that call
  Nanoseconds ran = -1;  // before that call, by the CPU clock; -1: unknown
};

bool may_block(CallClass call) { return blocks_host(call) || call == CallClass::kCopy; }

// Follows the main thread's CPU clock.
class MainClock {
 public:
  void add(const HostCall& call) {
    if (call.thread_cpu_ns != 0) {
      reading_ = call.thread_cpu_ns;
      read_at_ = call.start;
      blocked_ = 0;
    }
    if (may_block(call.call_class)) blocked_ += call.end - call.start;
  }
  // How long it ran just before `call`, if it left the processor at `left_at`; -1: unknown.
  Nanoseconds ran_before(const HostCall& call, Nanoseconds left_at) const {
    if (call.thread_cpu_ns == 0 || reading_ == 0) return -1;
    return std::max<Nanoseconds>(0, call.thread_cpu_ns - reading_ - (left_at - read_at_ - blocked_));
  }

 private:
  Nanoseconds reading_ = 0, read_at_ = 0, blocked_ = 0;
};

std::vector<Resumption> find(const ProcessTrace& trace, const std::vector<uint32_t>& order) {
  const std::vector<LaunchingThread> threads = launching_threads(trace);
  const uint16_t main = main_thread(trace);
  std::vector<Resumption> found;
  MainClock clock;
  bool is_away = false;
  Nanoseconds left_at = 0, pass_end = 0;
  for (const uint32_t index : order) {
    const HostCall& call = trace.calls[index];
    if (threads[call.thread].is_backward) {
      is_away = true;
      pass_end = std::max(pass_end, call.end);
    } else if (call.thread == main) {
      if (is_away && call.start > pass_end)
        found.push_back({index, call.start - pass_end, clock.ran_before(call, left_at)});
      is_away = false;
      left_at = call.end;
      clock.add(call);
    }
  }
  return found;
}

}  // namespace

ResumeTimes::ResumeTimes(const ProcessTrace& trace, const std::vector<uint32_t>& order) {
  const std::vector<Resumption> all = find(trace, order);
  PerPhase<std::vector<Nanoseconds>> runs;
  const auto runs_of = [&](const Resumption& one) -> std::vector<Nanoseconds>& {
    return runs[static_cast<size_t>(trace.calls[one.call].phase)];
  };
  for (const Resumption& one : all)
    if (one.ran >= 0) runs_of(one).push_back(one.ran);
  for (std::vector<Nanoseconds>& of_phase : runs) std::sort(of_phase.begin(), of_phase.end());
  for (const Resumption& one : all) {
    if (one.ran < 0) continue;
    const std::vector<Nanoseconds>& others = runs_of(one);
    const Nanoseconds ran = std::max(one.ran, others[others.size() * 3 / 4]);
    if (ran + kWaking < one.gap) resumed_.emplace(one.call, trace.calls[one.call].start - ran);
  }
}

}  // namespace tauprof
