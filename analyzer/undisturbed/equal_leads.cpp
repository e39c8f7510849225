#include "undisturbed/equal_leads.h"

#include <algorithm>
#include <functional>

#include "limits/replay_limits.h"

namespace tauprof {
namespace {

bool has_blocking_call(const WorkOfStep& step) {
  return std::any_of(step.threads.begin(), step.threads.end(), [](const WorkOfThread& thread) {
    return std::any_of(thread.calls.begin(), thread.calls.end(), [](const WorkOfCall& call) { return call.blocks; });
  });
}

// How long the calls of a step took that need not wait, and how many there are.
struct OtherCalls {
  explicit OtherCalls(const WorkOfStep& step) {
    for (const WorkOfThread& thread : step.threads)
      for (const WorkOfCall& call : thread.calls)
        if (!call.blocks) ++count, took += call.inside;
  }
  size_t count = 0;
  Nanoseconds took = 0;
};

// Steps in which launches waited for room: they took much longer than in the quickest step with as many.
class WaitsForRoom {
 public:
  WaitsForRoom(const std::map<int64_t, WorkOfStep>& steps, const std::vector<int64_t>& numbers) {
    for (const int64_t number : numbers) {
      const OtherCalls calls(steps.at(number));
      const auto known = quickest_.try_emplace(calls.count, calls.took).first;
      known->second = std::min(known->second, calls.took);
    }
  }
  bool operator()(const WorkOfStep& step) const {
    const OtherCalls calls(step);
    const auto longer = static_cast<double>(calls.took - quickest_.at(calls.count));
    return longer > kHeldUp * static_cast<double>(step.place.host.length());
  }

 private:
  std::map<size_t, Nanoseconds> quickest_;  // by number of calls
};

std::vector<int64_t> between(const std::map<int64_t, WorkOfStep>& steps, const std::vector<int64_t>& numbers,
                             const std::function<bool(const WorkOfStep&)>& waits) {
  std::vector<int64_t> kept, since_wait;
  bool has_waited = false;  // in this stretch
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && numbers[i] != numbers[i - 1] + 1) has_waited = false;
    if (!has_waited) since_wait.clear();
    if (has_waited) since_wait.push_back(numbers[i]);
    if (!waits(steps.at(numbers[i]))) continue;
    kept.insert(kept.end(), since_wait.begin(), since_wait.end());
    since_wait.clear();
    has_waited = true;
  }
  return kept;
}

}  // namespace

std::vector<int64_t> between_equal_leads(const std::map<int64_t, WorkOfStep>& steps,
                                         const std::vector<int64_t>& numbers) {
  std::vector<int64_t> by_calls = between(steps, numbers, has_blocking_call);
  std::vector<int64_t> by_room = between(steps, numbers, WaitsForRoom(steps, numbers));
  std::vector<int64_t>& most = by_room.size() > by_calls.size() ? by_room : by_calls;
  return 2 * most.size() < numbers.size() ? numbers : most;
}

}  // namespace tauprof
