#include "phases/hand_back.h"

#include <algorithm>

#include "steps/launching_threads.h"

namespace tauprof {
namespace {

// Waking takes some 50 µs on an idle host. Shorter waits than this are no more than that, and what the clock is off by.
constexpr Nanoseconds kWaking = 100'000;

struct HandBack {
  uint32_t call = 0;     // the main thread's next
  Nanoseconds gap = 0;   // to it from the end of the pass
  Nanoseconds ran = -1;  // before it, by the CPU clock; -1: not known
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
  // How long it ran before the call, if it left the processor at that time; -1: not known.
  Nanoseconds ran_before(const HostCall& call, Nanoseconds left_at) const {
    if (call.thread_cpu_ns == 0 || reading_ == 0) return -1;
    return std::max<Nanoseconds>(0, call.thread_cpu_ns - reading_ - (left_at - read_at_ - blocked_));
  }

 private:
  Nanoseconds reading_ = 0, read_at_ = 0, blocked_ = 0;
};

std::vector<HandBack> find(const ProcessTrace& trace, const std::vector<uint32_t>& order) {
  const std::vector<LaunchingThread> threads = launching_threads(trace);
  const uint16_t main = main_thread(trace);
  std::vector<HandBack> found;
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

HandBacks::HandBacks(const ProcessTrace& trace, const std::vector<uint32_t>& order) {
  const std::vector<HandBack> all = find(trace, order);
  PerPhase<std::vector<Nanoseconds>> runs;
  const auto runs_of = [&](const HandBack& one) -> std::vector<Nanoseconds>& {
    return runs[static_cast<size_t>(trace.calls[one.call].phase)];
  };
  for (const HandBack& one : all)
    if (one.ran >= 0) runs_of(one).push_back(one.ran);
  for (std::vector<Nanoseconds>& of_phase : runs) std::sort(of_phase.begin(), of_phase.end());
  for (const HandBack& one : all) {
    if (one.ran < 0) continue;
    const std::vector<Nanoseconds>& others = runs_of(one);
    const Nanoseconds went_on = std::max(one.ran, others[others.size() * 3 / 4]);
    if (went_on + kWaking < one.gap) went_on_.emplace(one.call, trace.calls[one.call].start - went_on);
  }
}

}  // namespace tauprof
