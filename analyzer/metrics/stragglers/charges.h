// Time that ranks are charged with, each for some causes. Of many ranks few are charged at once: the charges stand in a
// list, in the order in which they were first made, and a table of all ranks and causes tells where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "metrics/stragglers/cause.h"
#include "model/flat_map.h"
#include "model/on_demand.h"
#include "model/rank_timeline.h"

namespace tauprof {

// ns, and the parts of it that come from earlier matches.
struct ChargedTime {
  double ns = 0;
  OnDemand<FlatMap<uint32_t, double>> brought{};

  void bring(uint32_t match, double time) {  // kNoIndex: nobody asks from where
    ns += time;
    if (match != kNoIndex) brought.edit()[match] += time;
  }
  void add(const ChargedTime& other, double time) {  // `time` of the other
    ns += time;
    for (const auto& [match, part] : *other.brought) brought.edit()[match] += part * (time / other.ns);
  }
  void scale(double factor) {
    ns *= factor;
    if (brought.is_there())
      for (auto& [match, part] : brought.edit()) part *= factor;
  }
};

struct Charge {
  uint32_t rank;  // index into the timelines; kNoIndex: nobody
  Cause cause;
  ChargedTime time{};
};

class Charges {
 public:
  explicit Charges(size_t ranks) : ranks_(ranks), place_((ranks + 1) * kCauseCount, kNoIndex) {}

  ChargedTime& of(uint32_t rank, Cause cause) {
    uint32_t& place = place_[place_of(rank, cause)];
    if (place == kNoIndex) {
      place = static_cast<uint32_t>(charges_.size());
      charges_.push_back({rank, cause});
    }
    return charges_[place].time;
  }
  // Null: none.
  ChargedTime* find(uint32_t rank, Cause cause) {
    const uint32_t place = place_[place_of(rank, cause)];
    return place == kNoIndex ? nullptr : &charges_[place].time;
  }
  double sum() const {
    double ns = 0;
    for (const Charge& charge : charges_) ns += charge.time.ns;
    return ns;
  }
  ChargedTime& of_nobody() { return of(kNoIndex, Cause::kUnknown); }
  // Those of ranks, by rank and cause: at most so many, the largest, with the time of all. Valid until it is called
  // again. Leaves none.
  std::vector<Charge>& take_largest(size_t most);
  void clear() {
    for (const Charge& charge : charges_) place_[place_of(charge.rank, charge.cause)] = kNoIndex;
    charges_.clear();
  }

  auto begin() const { return charges_.begin(); }
  auto end() const { return charges_.end(); }
  auto begin() { return charges_.begin(); }
  auto end() { return charges_.end(); }

 private:
  size_t place_of(uint32_t rank, Cause cause) const {
    return (rank == kNoIndex ? ranks_ : rank) * kCauseCount + static_cast<size_t>(cause);
  }

  size_t ranks_;
  std::vector<uint32_t> place_;  // in charges_, by rank and cause; kNoIndex: none
  std::vector<Charge> charges_;
  std::vector<std::pair<double, uint32_t>> by_size_;  // in use while the largest are taken
  std::vector<Charge> largest_;                       // that were taken
};

}  // namespace tauprof
