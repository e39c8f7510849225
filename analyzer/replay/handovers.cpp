#include "replay/handovers.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using Threads = std::pair<uint16_t, uint16_t>;

}  // namespace

bool Handover::ends_silence(Nanoseconds given) const {
  return given > silence.start && given <= silence.end &&
         static_cast<double>(silence.end - given) <= kMostChance * static_cast<double>(silence.length());
}

void Launches::add(uint32_t operation, uint32_t before, uint16_t thread, const std::optional<Interval>& silence) {
  befores_[operation] = before;
  threads_[operation] = thread;
  is_told_[operation] = silence.has_value();
  if (silence && silence->length() >= kTurnTaken) silences_.emplace(operation, *silence);
}

void Launches::find_handover(uint32_t operation, uint32_t awaited, bool is_assumed,
                             std::vector<Handover>& handovers) const {
  const uint32_t taker = befores_[operation], before_giver = befores_[awaited];
  if (taker == kNoIndex || before_giver == kNoIndex || before_giver > taker) return;
  if (!is_told_[operation] || threads_[operation] == threads_[awaited]) return;
  const auto silence = silences_.find(operation);
  handovers.push_back({taker, before_giver + 1, threads_[operation], threads_[awaited],
                       silence != silences_.end() ? silence->second : Interval{}, is_assumed});
}

void test_handovers(std::vector<Handover>& handovers, const std::vector<Interval>& times) {
  std::sort(handovers.begin(), handovers.end(), [](const Handover& a, const Handover& b) {
    return std::pair(a.taker, b.giver) < std::pair(b.taker, a.giver);
  });
  std::set<Threads> certain;
  for (const Handover& one : handovers)
    if (one.ends_silence(times[one.giver].end)) certain.insert({one.taking, one.giving});
  for (Handover& one : handovers)
    if (certain.contains({one.taking, one.giving})) one.is_assumed = false;
}

std::vector<Handover> telling_handovers(std::vector<Handover> handovers, const std::vector<Interval>& times) {
  struct Last {
    uint32_t certain = 0, any = 0;
  };
  std::map<Threads, Last> known;  // the last call that the thread is known to come after
  std::erase_if(handovers, [&](const Handover& one) {
    if (times[one.giver].end > times[one.taker].start) return true;
    Last& last = known[{one.taking, one.giving}];
    if (one.giver <= (one.is_assumed ? last.any : last.certain)) return true;
    last.any = std::max(last.any, one.giver);
    if (!one.is_assumed) last.certain = one.giver;
    return false;
  });
  return handovers;
}

}  // namespace tauprof
