#include "steps/update_rounds.h"

#include <algorithm>
#include <unordered_map>

#include "step_rounds/step_rounds.h"

namespace tauprof {
namespace {

constexpr size_t kNever = static_cast<size_t>(-1);

// When rounds start and stop to wait for an optimizer.
struct Presence {
  uint32_t since = 0;      // the lap of its construction, then of its latest update
  uint32_t longest = 0;    // the most laps between two of its updates, or before the first
  size_t last = kNever;    // its latest update
  size_t constructed = 0;  // an event; the first if its construction is not in the log
  bool is_awaited_first = false;
};

class Rounds {
 public:
  explicit Rounds(const std::vector<OptimizerEvent>& events) : events_(events), leaves_(events.size(), false) {
    for (size_t i = 0; i < events.size(); ++i) {
      const auto [found, is_new] = presences_.try_emplace(events[i].optimizer);
      if (!events[i].is_update && is_new) found->second = {.since = lap_, .constructed = i};
      if (events[i].is_update) step(found->second, i);
    }
    for (auto& [optimizer, presence] : presences_)
      if (presence.last != kNever && lap_ - presence.since > presence.longest) leaves_[presence.last] = true;
  }

  std::vector<bool> completed() const {
    std::vector<std::pair<size_t, uint64_t>> joining;
    for (const auto& [optimizer, presence] : presences_)
      if (presence.is_awaited_first) joining.emplace_back(presence.constructed, optimizer);
    std::sort(joining.begin(), joining.end());
    StepRounds rounds;
    std::vector<bool> completed(events_.size(), false);
    auto joins = joining.begin();
    for (size_t i = 0; i < events_.size(); ++i) {
      for (; joins != joining.end() && joins->first <= i; ++joins) rounds.construct(joins->second);
      if (!events_[i].is_update) continue;
      completed[i] = rounds.update(events_[i].optimizer);
      if (leaves_[i]) rounds.leave(events_[i].optimizer);
    }
    return completed;
  }

 private:
  void step(Presence& presence, size_t event) {
    const bool is_first = presence.last == kNever;
    if (!is_first && presence.since == lap_) ++lap_;
    const uint32_t missed = lap_ - presence.since;
    if (missed >= StepRounds::kPatience) {
      if (!is_first) leaves_[presence.last] = true;
    } else {
      if (is_first) presence.is_awaited_first = true;
      presence.longest = std::max(presence.longest, missed);
    }
    presence.since = lap_;
    presence.last = event;
  }

  const std::vector<OptimizerEvent>& events_;
  std::unordered_map<uint64_t, Presence> presences_;
  std::vector<bool> leaves_;  // after this update
  uint32_t lap_ = 0;
};

}  // namespace

std::vector<bool> completed_rounds(const std::vector<OptimizerEvent>& events) { return Rounds(events).completed(); }

}  // namespace tauprof
