#include "align/device_offsets.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "align/simultaneous_ends.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

constexpr Nanoseconds kFar = INT64_MAX / 4;

// The ranks of one clock, and what collectives prove about their devices.
class Host {
 public:
  // Adds a member's part in a collective. Parts of one collective come one after the other.
  void add(size_t event, Ends ends, uint32_t position, const ClockWitness& witness) {
    if (events_.empty() || events_.back().index != event)
      drop_lonely(), events_.push_back({event, ends, {}, kFar, -kFar});
    Event& last = events_.back();
    last.witnesses.emplace_back(position, &witness);
    if (witness.proves_end) last.first_end = std::min(last.first_end, witness.end);
    if (witness.proves_start) last.last_start = std::max(last.last_start, witness.start);
  }

  void finish(size_t size) {
    drop_lonely();
    size_ = size;
    std::stable_sort(events_.begin(), events_.end(),
                     [](const Event& a, const Event& b) { return a.margin() < b.margin(); });
  }

  bool proves_anything() const { return !events_.empty(); }

  std::vector<DeviceOffset> solve() {
    size_t most = events_.size(), least = 0;  // how many are dropped
    if (!close(0)) {
      while (least + 1 < most) {
        const size_t half = (least + most) / 2;
        (close(half) ? most : least) = half;
      }
      close(most);
    }
    const std::vector<Nanoseconds> wanted = wanted_by_ends();
    std::vector<DeviceOffset> offsets(size_);
    for (size_t i = 0; i < size_; ++i) {
      offsets[i].used = wanted[i] - wanted[0] + (twice_nearest(i, wanted) - twice_nearest(0, wanted)) / 2;
      const Nanoseconds highest = distance(0, i), lowest = -distance(i, 0);
      if (i > 0 && highest < kFar / 2 && lowest > -kFar / 2)
        offsets[i].limits = {(lowest + highest) / 2, (highest - lowest + 1) / 2};
    }
    return offsets;
  }

 private:
  struct Event {
    size_t index = 0;
    Ends ends = Ends::kApart;
    std::vector<std::pair<uint32_t, const ClockWitness*>> witnesses;  // by position
    Nanoseconds first_end = kFar;
    Nanoseconds last_start = -kFar;
    Nanoseconds margin() const { return first_end - last_start; }
    // Ends that are further apart than those of one group are no ends of one collective.
    bool has_common_end() const {
      Nanoseconds last_end = -kFar, shortest = kFar;
      for (const auto& [position, witness] : witnesses) {
        last_end = std::max(last_end, witness->end);
        shortest = std::min(shortest, witness->end - witness->start);
      }
      return ends == Ends::kCommon &&
             static_cast<double>(last_end - first_end) <=
                 static_cast<double>(kEndScatter) + kEndScatterOfTransfer * static_cast<double>(shortest);
    }
  };

  // Drops a collective that only one rank of the host took part in.
  void drop_lonely() {
    if (!events_.empty() && events_.back().witnesses.size() < 2) events_.pop_back();
  }

  Nanoseconds& distance(size_t from, size_t to) { return distances_[from * size_ + to]; }

  // Finds the shortest paths without the first `dropped` events. False: the events contradict each other.
  bool close(size_t dropped) {
    distances_.assign(size_ * size_, kFar);
    for (size_t i = 0; i < size_; ++i) distance(i, i) = 0;
    for (size_t event = dropped; event < events_.size(); ++event)
      for (const auto& [i, ending] : events_[event].witnesses)
        for (const auto& [j, beginning] : events_[event].witnesses)
          if (i != j && ending->proves_end && beginning->proves_start)
            distance(i, j) = std::min(distance(i, j), ending->end - beginning->start);
    for (size_t over = 0; over < size_; ++over)
      for (size_t i = 0; i < size_; ++i)
        for (size_t j = 0; j < size_; ++j)
          distance(i, j) = std::min({distance(i, j), distance(i, over) + distance(over, j), kFar});
    for (size_t i = 0; i < size_; ++i)
      if (distance(i, i) < 0) return false;
    return true;
  }

  // The offset to add to each rank's times so that collectives have common ends; 0 where they have.
  std::vector<Nanoseconds> wanted_by_ends() const {
    RunClocks clocks;
    clocks.clocks.assign(size_, {events_.front().witnesses.front().second->end, 0, ClockBasis::kShared});
    ClockEvents events;
    std::vector<uint32_t> which;
    for (const Event& event : events_) {
      if (!event.has_common_end()) continue;
      which.push_back(static_cast<uint32_t>(which.size()));
      events.events.push_back({0, static_cast<uint32_t>(events.witnesses.size()),
                               static_cast<uint32_t>(event.witnesses.size()), Ends::kCommon});
      for (const auto& [position, witness] : event.witnesses) {
        const Nanoseconds origin = clocks.clocks.front().origin;
        events.witnesses.push_back({position, static_cast<double>(witness->start - origin),
                                    static_cast<double>(witness->end - origin), true, true});
      }
    }
    const std::vector<ClockGuess> guesses = guess_by_medians(clocks, events, which, 0);
    const std::vector<bool> contradicted = contradicted_by_ends(clocks, events, which, guesses);
    std::vector<Nanoseconds> wanted(size_, 0);
    for (size_t i = 0; i < size_; ++i)
      if (contradicted[i]) wanted[i] = std::llround(guesses[i].shift);
    return wanted;
  }

  // Counts from the wanted offsets. Twice the mean of two solutions: the highest of those nowhere above zero, and the
  // lowest of those nowhere below. The mean is a solution, too, and zero if zero is one.
  Nanoseconds twice_nearest(size_t rank, const std::vector<Nanoseconds>& wanted) {
    const auto from_wanted = [&](size_t from, size_t to) { return distance(from, to) + wanted[from] - wanted[to]; };
    Nanoseconds low = 0, high = 0;
    for (size_t i = 0; i < size_; ++i) {
      low = std::min(low, from_wanted(i, rank));
      high = std::max(high, -from_wanted(rank, i));
    }
    return low + high;
  }

  size_t size_ = 0;
  std::vector<Event> events_;  // the least margin first
  std::vector<Nanoseconds> distances_;
};

}  // namespace

std::vector<DeviceOffset> find_device_offsets(const std::vector<uint32_t>& clock_of_rank,
                                              const ClockEvidence& evidence) {
  std::map<uint32_t, std::vector<uint32_t>> members;
  std::vector<uint32_t> positions(clock_of_rank.size());
  for (uint32_t rank = 0; rank < clock_of_rank.size(); ++rank) {
    positions[rank] = static_cast<uint32_t>(members[clock_of_rank[rank]].size());
    members[clock_of_rank[rank]].push_back(rank);
  }
  std::map<uint32_t, Host> hosts;
  for (size_t event = 0; event < evidence.events.size(); ++event)
    for (uint32_t i = evidence.events[event].first_witness; i < evidence.end_of(event); ++i) {
      const ClockWitness& witness = evidence.witnesses[i];
      const uint32_t clock = clock_of_rank[witness.rank];
      const size_t size = members[clock].size();
      if (size > 1 && size <= kMostDevices)
        hosts[clock].add(event, evidence.events[event].ends, positions[witness.rank], witness);
    }
  std::vector<DeviceOffset> offsets(clock_of_rank.size());
  for (auto& [clock, host] : hosts) {
    host.finish(members[clock].size());
    if (!host.proves_anything()) continue;
    const std::vector<DeviceOffset> found = host.solve();
    for (size_t i = 0; i < found.size(); ++i) offsets[members[clock][i]] = found[i];
  }
  return offsets;
}

}  // namespace tauprof
