#include "replay/thread_turns.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

ThreadTurns::ThreadTurns(const ProcessTrace& trace)
    : worked_(trace.threads.size()), has_own_steps_(trace.threads.size()), devices_(trace.threads.size()) {
  std::set<int32_t> training;
  for (const HostStep& step : trace.steps)
    if (step.thread >= 0) training.insert(step.thread);
  if (training.size() > 1)
    for (const int32_t thread : training) has_own_steps_[static_cast<size_t>(thread)] = true;
  for (const HostCall& call : trace.calls)
    if (launches_work(call.call_class) || blocks_host(call.call_class)) devices_[call.thread].insert(call.device);
}

bool ThreadTurns::take_turns(size_t thread, size_t other) const {
  if (other == thread || (has_own_steps_[other] && has_own_steps_[thread])) return false;
  return std::any_of(devices_[thread].begin(), devices_[thread].end(),
                     [&](int32_t device) { return devices_[other].contains(device); });
}

void ThreadTurns::add(uint16_t thread, Interval time, uint32_t operation) {
  worked_[thread].push_back({time, operation});
}

ThreadTurns::Turn ThreadTurns::before(uint16_t thread, Interval silence) const {
  const bool is_first = silence.start == INT64_MIN;
  if (!is_first && silence.length() < kTurnTaken) return {};
  Turn turn;
  for (size_t other = 0; other < worked_.size(); ++other) {
    if (!take_turns(thread, other)) continue;
    const std::vector<Worked>& worked = worked_[other];
    const auto begin = std::upper_bound(worked.begin(), worked.end(), silence.start,
                                        [](Nanoseconds start, const Worked& one) { return start < one.time.end; });
    auto last = worked.end();
    while (last != begin && (last - 1)->time.end > silence.end) --last;
    if (last == begin) continue;
    --last;
    const Nanoseconds worked_for = last->time.end - std::max(begin->time.start, silence.start);
    const bool is_most =
        is_first || static_cast<double>(worked_for) >= kTurnWorked * static_cast<double>(silence.length());
    if (is_most && (turn.operation == kNoIndex || last->time.end > turn.end)) turn = {last->operation, last->time.end};
  }
  return turn;
}

}  // namespace tauprof
