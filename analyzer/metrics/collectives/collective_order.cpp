#include "metrics/collectives/collective_order.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using log::Operation;

bool agree(const RankCollective& a, const RankCollective& b) {
  const bool same_operation =
      a.operation == b.operation || a.operation == Operation::kUnknown || b.operation == Operation::kUnknown ||
      // An all-to-all launched before the recording started shows only as its kernel.
      std::minmax(a.operation, b.operation) == std::minmax(Operation::kAllToAll, Operation::kSendReceive);
  return same_operation &&
         (a.datatype == b.datatype || a.datatype == log::DataType::kUnknown || b.datatype == log::DataType::kUnknown) &&
         (a.count == b.count || a.count == 0 || b.count == 0 || a.operation == Operation::kAllToAll);
}

// One list beside the longest one.
class Pairing {
 public:
  Pairing(const std::vector<RankTimeline>& ranks, const CollectiveList& reference, const CollectiveList& list)
      : ranks_(ranks),
        reference_(reference),
        list_(list),
        rank_a_(ranks[reference.rank]),
        rank_b_(ranks[list.rank]),
        are_timed_(is_timed(reference) && is_timed(list)) {}

  // For each of the list, its position in the reference.
  std::vector<OrderPlace> places() const {
    std::vector<OrderPlace> result = shifted(best_shift());
    if (!are_timed_) return result;
    const Fit by_shift = fit(result);
    if (by_shift.apart == 0) return result;
    // Records are lost now and then. If more of them lack a partner, the ranks did not do the same.
    double best = std::max(by_shift.score, (1 - kScatteredShare) * static_cast<double>(size_b()));
    for (const Nanoseconds difference : likely_differences(result)) {
      std::vector<OrderPlace> walked = walk(difference);
      if (const double score = fit(walked).score; score > best) best = score, result = std::move(walked);
    }
    return result;
  }

 private:
  static bool is_timed(const CollectiveList& list) {
    return std::all_of(list.units.begin(), list.units.end(),
                       [](const CollectiveMember& unit) { return unit.is_timed; });
  }
  const RankCollective& a(int64_t i) const { return called(ranks_, reference_.units[i]); }
  const RankCollective& b(int64_t i) const { return called(ranks_, list_.units[i]); }
  int64_t size_a() const { return static_cast<int64_t>(reference_.units.size()); }
  int64_t size_b() const { return static_cast<int64_t>(list_.units.size()); }

  // Of shifts that fit equally well, the one that aligns the ends wins: traces of one job stop together more often than
  // they start together.
  int64_t best_shift() const {
    const int64_t slack = size_a() - size_b();
    std::vector<int64_t> candidates{slack};
    for (int64_t shift = slack - 1; shift >= std::max<int64_t>(0, slack - kMostShifts); --shift)
      candidates.push_back(shift);
    if (slack > kMostShifts) candidates.push_back(0);
    add_shifts_by_time(candidates);
    // Where all collectives are alike and equally far apart, all shifts fit. Then the clocks decide.
    std::vector<Fit> fits;
    for (const int64_t shift : candidates) fits.push_back(are_timed_ ? fit(shifted(shift), kSampledPairs) : Fit{});
    const size_t most_pairs = std::max_element(fits.begin(), fits.end(), [](const Fit& one, const Fit& other) {
                                return one.pairs < other.pairs;
                              })->pairs;
    int64_t best = slack;
    std::pair<long, int64_t> best_score{-1, -1};
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (!is_as_much(fits[i].pairs, most_pairs)) continue;
      const std::pair<long, int64_t> score{std::lround(kFitSteps * fits[i].quality()), score_of(candidates[i])};
      if (score > best_score) best_score = score, best = candidates[i];
    }
    return best;
  }

  std::vector<OrderPlace> shifted(int64_t shift) const {
    std::vector<OrderPlace> places;
    places.reserve(list_.units.size());
    for (int64_t i = 0; i < size_b(); ++i) places.emplace_back(shift + i, 0);
    return places;
  }

  // Shifts that put the list's first, middle or last collective where it lies in the reference by time. They may reach
  // beyond the reference, for ranks that start and stop recording later.
  void add_shifts_by_time(std::vector<int64_t>& candidates) const {
    if (!are_timed_) return;
    const ClockMap &clock_a = rank_a_.run_clock, &clock_b = rank_b_.run_clock;
    for (const int64_t i : {int64_t{0}, size_b() / 2, size_b() - 1}) {
      const Nanoseconds end = clock_b.to_run(b(i).end);
      const auto near = std::lower_bound(reference_.units.begin(), reference_.units.end(), end,
                                         [&](const CollectiveMember& unit, Nanoseconds time) {
                                           return clock_a.to_run(called(ranks_, unit).start) < time;
                                         });
      const int64_t position = near - reference_.units.begin();
      for (int64_t offset = -1; offset <= 0; ++offset) candidates.push_back(position + offset - i);
    }
  }

  // A pair that agrees scores 1, and 3 if it also overlaps in time, as pairs of ranks that share a clock do.
  int64_t score_of(int64_t shift) const {
    int64_t score = 0;
    for (int64_t i = 0; i < size_b(); ++i) {
      const int64_t position = shift + i;
      if (position < 0 || position >= size_a()) continue;
      const RankCollective &own = b(i), &other = a(position);
      if (!agree(other, own)) continue;
      const ClockMap &clock_a = rank_a_.run_clock, &clock_b = rank_b_.run_clock;
      const bool overlap = are_timed_ && clock_a.to_run(other.start) < clock_b.to_run(own.end) &&
                           clock_b.to_run(own.start) < clock_a.to_run(other.end);
      score += overlap ? 3 : 1;
    }
    return score;
  }

  // How much later the list's collective ends, by the clocks as they were recorded.
  Nanoseconds apart(int64_t in_a, int64_t in_b) const {
    return rank_b_.run_clock.to_run(b(in_b).end) - rank_a_.run_clock.to_run(a(in_a).end);
  }
  double allowed(int64_t in_a, int64_t in_b) const {
    const Nanoseconds shortest = std::min(a(in_a).end - a(in_a).start, b(in_b).end - b(in_b).start);
    return static_cast<double>(kEndScatter) + kEndScatterOfTransfer * static_cast<double>(shortest);
  }
  bool is_pair(const OrderPlace& place, int64_t in_b) const {
    return place.second == 0 && place.first >= 0 && place.first < size_a() && agree(a(place.first), b(in_b));
  }

  // How well the differences of ends are the same, apart from what clocks drift meanwhile.
  struct Fit {
    double score = 0;  // up to 1 for each pair
    size_t apart = 0;  // number of pairs that disagree, or whose ends belong to different collectives
    size_t pairs = 0;  // number of pairs that agree
    double quality() const { return pairs > 0 ? score / static_cast<double>(pairs) : 0; }
  };
  // Looks at `most` of the list's collectives, evenly spread.
  Fit fit(const std::vector<OrderPlace>& places, int64_t most = INT64_MAX) const {
    Fit result;
    std::vector<int64_t> paired;
    const int64_t stride = (size_b() - 1) / most + 1;
    for (int64_t i = 0; i < size_b(); i += stride)
      if (is_pair(places[i], i))
        paired.push_back(i);
      else
        result.apart += places[i].first >= 0 && places[i].first < size_a();
    result.pairs = paired.size();
    if (paired.empty()) return result;
    const auto apart_in = [&](int64_t i) { return apart(places[i].first, i); };
    std::vector<int64_t> sorted = paired;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end(),
                     [&](int64_t one, int64_t other) { return apart_in(one) < apart_in(other); });
    const int64_t typical = *middle;
    for (const int64_t i : paired) {
      const auto off = static_cast<double>(std::abs(apart_in(i) - apart_in(typical)));
      const double drifted = kMostDrift * static_cast<double>(std::abs(b(i).end - b(typical).end));
      const double limit = allowed(places[i].first, i) + drifted;
      result.score += std::max(0.0, 1 - off / limit);
      result.apart += off > limit;
    }
    return result;
  }

  // None, if the clocks are right, and the medians of the first, middle and last third under the best shift: a record
  // that is lost leaves one of these right.
  std::vector<Nanoseconds> likely_differences(const std::vector<OrderPlace>& places) const {
    std::vector<Nanoseconds> found{0};
    for (int64_t third = 0; third < 3; ++third) {
      std::vector<Nanoseconds> differences;
      for (int64_t i = third * size_b() / 3; i < (third + 1) * size_b() / 3; ++i)
        if (is_pair(places[i], i)) differences.push_back(apart(places[i].first, i));
      if (differences.empty()) continue;
      const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
      std::nth_element(differences.begin(), middle, differences.end());
      found.push_back(*middle);
    }
    return found;
  }

  // Side by side, always pairing the nearest ends. `difference` follows the clocks as they drift.
  std::vector<OrderPlace> walk(Nanoseconds difference) const {
    std::vector<OrderPlace> places;
    int64_t in_a = 0;
    const auto off = [&](int64_t i, int64_t j) {
      return i < size_a() && j < size_b() ? std::abs(apart(i, j) - difference) : INT64_MAX;
    };
    for (int64_t in_b = 0; in_b < size_b(); ++in_b) {
      while (in_a < size_a() && off(in_a + 1, in_b) < off(in_a, in_b)) ++in_a;
      const bool is_next_nearer = off(in_a, in_b + 1) < off(in_a, in_b);
      if (in_a < size_a() && !is_next_nearer && agree(a(in_a), b(in_b)) &&
          static_cast<double>(off(in_a, in_b)) <= allowed(in_a, in_b)) {
        places.emplace_back(in_a, 0);
        difference = apart(in_a, in_b);
        ++in_a;
      } else {
        // Before the reference's next one, and after what is there already.
        const bool is_same_gap = !places.empty() && places.back().second < 0 && places.back().first == in_a;
        places.emplace_back(in_a, is_same_gap ? places.back().second + 1 : -kMostLost);
      }
    }
    return places;
  }

  static constexpr int64_t kSampledPairs = 512;
  static constexpr double kFitSteps = 20;                 // fits that differ by less than a step of 5 % are equal
  static constexpr int64_t kMostLost = int64_t{1} << 40;  // between two that are paired; larger than any list

  const std::vector<RankTimeline>& ranks_;
  const CollectiveList& reference_;
  const CollectiveList& list_;
  const RankTimeline& rank_a_;
  const RankTimeline& rank_b_;
  const bool are_timed_;
};

}  // namespace

std::vector<std::vector<OrderPlace>> places_by_order(const std::vector<RankTimeline>& ranks,
                                                     const std::vector<CollectiveList>& lists) {
  const CollectiveList& longest = *std::max_element(
      lists.begin(), lists.end(),
      [](const CollectiveList& one, const CollectiveList& other) { return one.units.size() < other.units.size(); });
  std::vector<std::vector<OrderPlace>> places;
  for (const CollectiveList& list : lists) {
    if (&list != &longest) {
      places.push_back(Pairing(ranks, longest, list).places());
      continue;
    }
    places.emplace_back();
    for (size_t i = 0; i < list.units.size(); ++i) places.back().emplace_back(static_cast<int64_t>(i), 0);
  }
  return places;
}

}  // namespace tauprof
