#include "replay/thread_turns.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"
#include "model/release.h"

namespace tauprof {
namespace {

// Of how long threads went on after the other's turn.
Nanoseconds uneven(const std::vector<ThreadTurns::Silence>& silences) {
  std::vector<Nanoseconds> delays;
  for (const ThreadTurns::Silence& silence : silences)
    if (silence.turn.operation != kNoIndex) delays.push_back(silence.time.end - silence.turn.end);
  return spread(std::move(delays));
}

// As `uneven`, but no step is left out; and how late they went on.
struct Delays {
  double uneven = 0;
  Nanoseconds middle = 0;
};

Delays delays_of(const std::vector<ThreadTurns::Silence>& silences) {
  std::vector<Nanoseconds> delays;
  for (const ThreadTurns::Silence& silence : silences)
    if (silence.turn.operation != kNoIndex) delays.push_back(silence.time.end - silence.turn.end);
  if (delays.empty()) return {};
  Delays found{0, lower_median(delays)};
  for (const Nanoseconds delay : delays)
    found.uneven += static_cast<double>(std::abs(delay - found.middle)) / static_cast<double>(delays.size());
  return found;
}

// Whether threads are rather woken by those who take their work. Who goes on at once after another's call waits for it.
bool is_better(const std::vector<ThreadTurns::Silence>& by_takers, const std::vector<ThreadTurns::Silence>& others) {
  const Delays takers = delays_of(by_takers), other = delays_of(others);
  return others.size() > 1 && other.middle > kEventNoticed &&
         takers.uneven <= static_cast<double>(kClearlyMoreEven) * other.uneven + static_cast<double>(kOwnPause);
}

bool are_short(const std::vector<ThreadTurns::Silence>& silences) {
  return std::all_of(silences.begin(), silences.end(),
                     [](const ThreadTurns::Silence& one) { return one.time.length() <= kSilentStretch; });
}

bool are_turns(const std::vector<ThreadTurns::Silence>& silences) {
  std::vector<Nanoseconds> lengths;
  size_t turns = 0;
  for (const ThreadTurns::Silence& silence : silences) {
    lengths.push_back(silence.time.length());
    turns += silence.turn.operation != kNoIndex ? 1 : 0;
  }
  const bool works_nearly_always = static_cast<double>(turns) >= kNearlyAllWaits * static_cast<double>(lengths.size());
  return turns > 0 && works_nearly_always && uneven(silences) <= spread(std::move(lengths)) + kOwnPause;
}

// Whether hardly any of the one's operations lie in the midst of the other's. Both come by start.
template <class Worked>
bool leaves_alone(const std::vector<Worked>& one, const std::vector<Worked>& other) {
  auto next = other.begin();
  const auto amid = std::count_if(one.begin(), one.end(), [&](const Worked& operation) {
    while (next != other.end() && next->time.start <= operation.time.start) ++next;
    if (next == other.begin()) return next != other.end() && next->time.start < operation.time.end;
    const Nanoseconds before = (next - 1)->time.end;
    const Nanoseconds after = next == other.end() ? INT64_MAX : next->time.start;
    return before > operation.time.start || after < operation.time.end || after - before < kTurnTaken;
  });
  return static_cast<double>(one.size() - static_cast<size_t>(amid)) >=
         kNearlyAllWaits * static_cast<double>(one.size());
}

}  // namespace

ThreadTurns::ThreadTurns(const ProcessTrace& trace)
    : steps_(trace.steps.size()), worked_(trace.threads.size()), partners_(trace.threads.size()) {
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

void ThreadTurns::add(uint16_t thread, Interval time, uint32_t operation, int32_t step, uint32_t place) {
  if (!partners_[thread].empty()) worked_[thread].push_back({time, operation, step, place});
}

std::pair<Nanoseconds, ThreadTurns::Turn> ThreadTurns::worked_in(const std::vector<Worked>& worked, Interval silence) {
  const auto ends_after = [](Nanoseconds time, const Worked& one) { return time < one.time.end; };
  const auto begin = std::upper_bound(worked.begin(), worked.end(), silence.start, ends_after);
  const auto end = std::upper_bound(begin, worked.end(), silence.end, ends_after);
  if (begin == end) return {0, {}};
  const Worked& last = *(end - 1);
  return {last.time.end - std::max(begin->time.start, silence.start), {last.operation, last.time.end}};
}

ThreadTurns::Turn ThreadTurns::turn_of(size_t other, uint16_t thread, Interval silence) const {
  const auto [worked_for, turn] = worked_in(worked_[other], silence);
  const bool is_first = silence.start == INT64_MIN;
  const bool is_most = is_first ||
                       static_cast<double>(worked_for) >= kTurnWorked * static_cast<double>(silence.length()) ||
                       alternating_.contains({thread, other});
  return is_most ? turn : Turn();
}

ThreadTurns::Turn ThreadTurns::before(uint16_t thread, Interval silence) const {
  Turn turn;
  for (const size_t other : partners_[thread])
    if (const Turn one = turn_of(other, thread, silence);
        one.operation != kNoIndex && (turn.operation == kNoIndex || one.end > turn.end))
      turn = one;
  return turn;
}

bool ThreadTurns::find_turns(uint16_t thread, std::vector<Silence>& silences) const {
  for (Silence& silence : silences) silence.turn = before(thread, silence.time);
  std::vector<Silence> best = silences;
  bool is_found = are_turns(silences);
  std::ptrdiff_t most = static_cast<std::ptrdiff_t>(silences.size()) / 2;  // of the silences, whose last turn was its
  for (const size_t other : partners_[thread]) {
    std::vector<Silence> by_one = silences;
    for (Silence& silence : by_one) silence.turn = turn_of(other, thread, silence.time);
    const auto last =
        std::inner_product(by_one.begin(), by_one.end(), silences.begin(), std::ptrdiff_t(0), std::plus<>(),
                           [](const Silence& one, const Silence& any) {
                             return one.turn.operation != kNoIndex && one.turn.operation == any.turn.operation;
                           });
    if (last <= most || !are_turns(by_one)) continue;
    most = last;
    best = std::move(by_one);
    is_found = true;
  }
  silences = std::move(best);
  return is_found;
}

bool ThreadTurns::find_takers(std::vector<Silence>& silences) const {
  size_t turns = 0;
  for (Silence& silence : silences) {
    silence.turn = {};
    const auto taker = takers_.find(silence.after);
    if (taker == takers_.end() || taker->second.first.end > silence.time.end ||
        taker->second.first.end <= silence.time.start)
      continue;
    std::tie(silence.turn, silence.is_assumed) = taker->second;
    ++turns;
  }
  return turns > 0 && static_cast<double>(turns) >= kNearlyAllWaits * static_cast<double>(silences.size());
}

void ThreadTurns::find_alternating() {
  for (size_t thread = 0; thread < partners_.size(); ++thread)
    for (const size_t other : partners_[thread])
      if (thread < other && leaves_alone(worked_[thread], worked_[other]) &&
          leaves_alone(worked_[other], worked_[thread]))
        alternating_.insert({{thread, other}, {other, thread}});
}

bool ThreadTurns::assume_woken(uint16_t thread, std::vector<Silence>& silences) const {
  if (silences.size() < 2) return false;  // one is as even as another
  std::vector<Nanoseconds> lengths;
  for (const Silence& silence : silences) lengths.push_back(silence.time.length());
  Nanoseconds most = kClearlyMoreEven * spread(std::move(lengths)) + kOwnPause;
  bool is_found = false;
  for (const size_t other : partners_[thread]) {
    // By steps before the silence's, and place: of which silences, and the call.
    std::map<std::pair<int32_t, uint32_t>, std::vector<std::pair<size_t, Turn>>> calls;
    for (size_t i = 0; i < silences.size(); ++i) {
      const Silence& silence = silences[i];
      auto call = std::lower_bound(worked_[other].begin(), worked_[other].end(), silence.time.start,
                                   [](const Worked& one, Nanoseconds time) { return one.time.start < time; });
      for (size_t n = 0; n < kMostWakingCalls && call != worked_[other].end() && call->time.end <= silence.time.end;
           ++n, ++call)
        calls[{silence.step - call->step, call->place}].emplace_back(i, Turn{call->operation, call->time.end});
    }
    for (const auto& [place, turns] : calls) {
      if (static_cast<double>(turns.size()) < kNearlyAllWaits * static_cast<double>(silences.size())) continue;
      std::vector<Nanoseconds> delays;
      for (const auto& [silence, turn] : turns) delays.push_back(silences[silence].time.end - turn.end);
      const Nanoseconds uneven = spread(std::move(delays));
      if (uneven >= most) continue;
      most = uneven;
      is_found = true;
      for (Silence& silence : silences) silence.turn = {};
      for (const auto& [silence, turn] : turns) silences[silence].turn = turn;
    }
  }
  for (Silence& silence : silences) silence.is_assumed = is_found;
  return is_found;
}

bool ThreadTurns::explain(uint16_t thread, std::vector<Silence>& silences) const {
  std::vector<Silence> by_takers = silences;
  const bool are_taken = find_takers(by_takers);
  const bool is_found = find_turns(thread, silences) || assume_woken(thread, silences);
  if (!are_taken || (is_found && !is_better(by_takers, silences))) return is_found;
  silences = std::move(by_takers);
  return true;
}

std::vector<ThreadTurns::Silence> ThreadTurns::take() {
  std::vector<Silence> found;
  find_alternating();
  for (auto& [place, silences] : silences_) {
    for (Silence& silence : silences)
      if (const auto given = givers_.find(silence.operation); given != givers_.end()) {
        silence.turn = given->second;
        found.push_back(silence);
      }
    std::erase_if(silences, [&](const Silence& one) { return givers_.contains(one.operation); });
    if (silences.size() < std::min(kFewestSampledSteps, steps_) && are_short(silences)) continue;
    if (explain(place.first, silences))
      std::copy_if(silences.begin(), silences.end(), std::back_inserter(found),
                   [](const Silence& silence) { return silence.turn.operation != kNoIndex; });
  }
  silences_.clear();
  release(worked_);
  return found;
}

}  // namespace tauprof
