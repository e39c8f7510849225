#include "replay/thread_turns.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

bool are_turns(const std::vector<ThreadTurns::Silence>& silences) {
  std::vector<Nanoseconds> lengths, delays;
  for (const ThreadTurns::Silence& silence : silences) {
    lengths.push_back(silence.time.length());
    if (silence.turn.operation != kNoIndex) delays.push_back(silence.time.end - silence.turn.end);
  }
  const bool works_nearly_always =
      static_cast<double>(delays.size()) >= kNearlyAllWaits * static_cast<double>(lengths.size());
  return !delays.empty() && works_nearly_always && spread(std::move(delays)) <= spread(std::move(lengths)) + kOwnPause;
}

}  // namespace

ThreadTurns::ThreadTurns(const ProcessTrace& trace) : worked_(trace.threads.size()), partners_(trace.threads.size()) {
  std::set<int32_t> training;
  for (const HostStep& step : trace.steps)
    if (step.thread >= 0) training.insert(step.thread);
  const auto has_own_steps = [&](size_t thread) {
    return training.size() > 1 && training.contains(static_cast<int32_t>(thread));
  };
  std::map<size_t, std::set<int32_t>> devices;  // by thread: those that it used
  for (const HostCall& call : trace.calls)
    if (launches_work(call.call_class) || blocks_host(call.call_class)) devices[call.thread].insert(call.device);
  if (devices.size() > kMostTurnThreads) return;
  for (const auto& [thread, used] : devices)
    for (const auto& [other, its_devices] : devices) {
      if (other == thread || (has_own_steps(other) && has_own_steps(thread))) continue;
      if (std::any_of(used.begin(), used.end(),
                      [&devices_of_other = its_devices](int32_t device) { return devices_of_other.contains(device); }))
        partners_[thread].push_back(other);
    }
}

void ThreadTurns::add(uint16_t thread, Interval time, uint32_t operation) {
  worked_[thread].push_back({time, operation});
}

ThreadTurns::Turn ThreadTurns::before(uint16_t thread, Interval silence) const {
  const bool is_first = silence.start == INT64_MIN;
  if (!is_first && silence.length() < kTurnTaken) return {};
  Turn turn;
  for (const size_t other : partners_[thread]) {
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

std::vector<ThreadTurns::Silence> ThreadTurns::take() {
  std::vector<Silence> found;
  for (const auto& [place, silences] : silences_)
    if (are_turns(silences))
      std::copy_if(silences.begin(), silences.end(), std::back_inserter(found),
                   [](const Silence& silence) { return silence.turn.operation != kNoIndex; });
  silences_.clear();
  return found;
}

}  // namespace tauprof
