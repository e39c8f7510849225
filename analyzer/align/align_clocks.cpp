#include "align/align_clocks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "align/clock_closure.h"
#include "align/simultaneous_ends.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

constexpr double kKeptTolerance = 2;  // ns: recorded times are whole nanoseconds

class Alignment {
 public:
  Alignment(const RunClocks& clocks, const ClockEvents& events)
      : clocks_(clocks), events_(events), lines_(clocks.clocks.size()), keeps_record_(clocks.clocks.size(), true) {
    for (size_t clock = 0; clock < clocks_.clocks.size(); ++clock)
      keeps_record_[clock] = clocks_.clocks[clock].basis != ClockBasis::kUnknown;
  }

  void run() {
    for (const std::vector<uint32_t>& which : split_into_segments()) align_segment(which);
  }

  ClockMap map_of(uint32_t clock) const {
    const RunClocks::Clock& recorded = clocks_.clocks[clock];
    if (clock == 0) return exact_map();
    std::vector<ClockSegment> segments;
    for (const Line& line : lines_[clock]) segments.push_back(segment_of(clock, line));
    return segments.empty() ? ClockMap(recorded.shift) : ClockMap(std::move(segments));
  }

  ClockBasis basis_of(uint32_t clock) const {
    return keeps_record_[clock] || lines_[clock].empty() ? clocks_.clocks[clock].basis : ClockBasis::kCollectives;
  }

  uint64_t dropped() const { return dropped_; }

 private:
  // The evidence of one segment about a clock.
  struct Line {
    double local_first, local_last;  // the segment on the clock
    double first, last;              // the segment on the first clock, by the guess
    Interval of_first, of_last;      // limits of what must be added to the guess at both ends
    double recorded_first, recorded_last;
    bool admits_guess;
    bool is_by_ends, is_rough;  // the guess
    bool is_joined;             // to the first clock; else only to other clocks of its part
  };

  static ClockMap exact_map() {
    ClockSegment segment;
    segment.limits = ClockSegment::Limits{};
    return ClockMap(std::vector{segment});
  }

  std::vector<std::vector<uint32_t>> split_into_segments() {
    std::vector<uint32_t> all(events_.events.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<ClockGuess> guesses = guess_by_medians(clocks_, events_, all, kMostDrift);
    std::vector<double> times;
    for (const uint32_t event : all) times.push_back(time_of(event, guesses));
    if (times.empty()) return {};
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    // Damaged records must not stretch the run, so events far outside its middle nine tenths are dropped.
    const double low = sorted[sorted.size() / 20], high = sorted[sorted.size() - 1 - sorted.size() / 20];
    const double slack = 2 * (high - low) + static_cast<double>(kLongestSegment);
    const auto is_far = [&](double time) { return time < low - slack || time > high + slack; };
    double first = high, last = low;
    for (const double time : times)
      if (!is_far(time)) first = std::min(first, time), last = std::max(last, time);
    const double count = std::max(1.0, std::ceil((last - first) / static_cast<double>(kLongestSegment)));
    std::map<size_t, std::vector<uint32_t>> segments;  // those without an event say nothing
    for (const uint32_t event : all) {
      if (is_far(times[event])) {
        ++dropped_;
        continue;
      }
      const double position = last > first ? (times[event] - first) / (last - first) * count : 0;
      segments[static_cast<size_t>(std::min(position, count - 1))].push_back(event);
    }
    std::vector<std::vector<uint32_t>> result;
    for (auto& [number, which] : segments) result.push_back(std::move(which));
    return result;
  }

  const ClockEvents::Witness& witness(uint32_t event, uint32_t i) const {
    return events_.witnesses[events_.events[event].first_witness + i];
  }

  double time_of(uint32_t event, const std::vector<ClockGuess>& guesses) const {
    std::vector<double> ends;
    for (uint32_t i = 0; i < events_.events[event].witness_count; ++i)
      ends.push_back(guesses[witness(event, i).clock].on_run(witness(event, i).end));
    std::nth_element(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2), ends.end());
    return ends[ends.size() / 2];
  }

  bool ends_together(uint32_t event, const std::vector<ClockGuess>& guesses) const {
    double first = HUGE_VAL, last = -HUGE_VAL, shortest = HUGE_VAL;
    for (uint32_t i = 0; i < events_.events[event].witness_count; ++i) {
      const ClockEvents::Witness& member = witness(event, i);
      const double end = guesses[member.clock].on_run(member.end);
      first = std::min(first, end);
      last = std::max(last, end);
      shortest = std::min(shortest, member.end - member.start);
    }
    return last - first <= static_cast<double>(kEndScatter) + kEndScatterOfTransfer * shortest;
  }

  // Leaves out communicators whose collectives do not end together. Returns whether there were any.
  bool leave_out_scattered(std::vector<uint32_t>& which, const std::vector<ClockGuess>& guesses) const {
    std::map<uint32_t, std::pair<size_t, size_t>> counts;  // by group: all, scattered
    for (const uint32_t event : which) {
      if (events_.events[event].ends == Ends::kApart) continue;
      auto& [all, scattered] = counts[events_.events[event].group];
      ++all;
      scattered += !ends_together(event, guesses);
    }
    return std::erase_if(which, [&](uint32_t event) {
             const auto count = counts.find(events_.events[event].group);
             return count != counts.end() && static_cast<double>(count->second.second) >
                                                 kScatteredShare * static_cast<double>(count->second.first);
           }) > 0;
  }

  void align_segment(std::vector<uint32_t> which) {
    std::vector<ClockGuess> guesses = guess_by_medians(clocks_, events_, which, kMostDrift);
    for (int round = 0; round < kMostScatterRounds && leave_out_scattered(which, guesses); ++round)
      guesses = guess_by_medians(clocks_, events_, which, kMostDrift);
    if (which.empty()) return;
    double first = HUGE_VAL, last = -HUGE_VAL;
    for (const uint32_t event : which) {
      const double time = time_of(event, guesses);
      first = std::min(first, time);
      last = std::max(last, time);
    }
    std::vector<LineSet::Line> recorded;
    for (uint32_t clock = 0; clock < guesses.size(); ++clock)
      recorded.push_back({clocks_.recorded_time(clock, guesses[clock].local(first)) - first,
                          clocks_.recorded_time(clock, guesses[clock].local(last)) - last});
    const ClockClosure closure = close_inequalities(events_, which, guesses, recorded, first, last);
    dropped_ += closure.dropped;
    const std::vector<bool> contradicted = contradicted_by_ends(clocks_, events_, which, guesses);
    for (uint32_t clock = 1; clock < guesses.size(); ++clock) {
      if (guesses[clock].part != 0 && guesses[clock].is_reference) continue;
      add_line(clock, guesses[clock], closure, recorded[clock]);
      if (contradicted[clock] && lines_[clock].back().admits_guess) keeps_record_[clock] = false;
    }
  }

  void add_line(uint32_t clock, const ClockGuess& guess, const ClockClosure& closure, const LineSet::Line& recorded) {
    const LineSet& set = closure.deviation[clock];
    Line line;
    line.first = closure.first;
    line.last = closure.last;
    line.local_first = guess.local(closure.first);
    line.local_last = guess.local(closure.last);
    line.of_first = {std::llround(std::floor(set.lowest(-1))), std::llround(std::ceil(set.highest(-1)))};
    line.of_last = {std::llround(std::floor(set.lowest(1))), std::llround(std::ceil(set.highest(1)))};
    line.recorded_first = recorded.first;
    line.recorded_last = recorded.last;
    keeps_record_[clock] = keeps_record_[clock] && admits_record(closure, clock, recorded);
    line.admits_guess = set.contains({}, 0);
    line.is_by_ends = guess.is_by_ends;
    line.is_rough = guess.is_rough;
    line.is_joined = guess.part == 0;
    lines_[clock].push_back(line);
  }

  // A few small contradictions come from a device, whose times are off its host's clock by some microseconds.
  static bool admits_record(const ClockClosure& closure, uint32_t clock, const LineSet::Line& recorded) {
    if (closure.deviation[clock].contains(recorded, kKeptTolerance)) return true;
    const ClockClosure::Fit& fit = closure.alternative[clock];
    return fit.most <= static_cast<double>(kDeviceOff) &&
           static_cast<double>(fit.contradicted) <= kScatteredShare * fit.events;
  }

  static bool is_limited(const Interval& deviation) { return deviation.start > -kBeyond && deviation.end < kBeyond; }

  ClockSegment segment_of(uint32_t clock, const Line& line) const {
    ClockSegment segment;
    segment.time = on_clock(clock, line);
    const bool is_limited_here = line.is_joined && is_limited(line.of_first) && is_limited(line.of_last);
    double used_first = 0, used_last = 0;  // the guess
    if (keeps_record_[clock])
      used_first = line.recorded_first, used_last = line.recorded_last;
    else if (!line.admits_guess && line.is_by_ends)
      used_first = nearest_in(line.of_first), used_last = nearest_in(line.of_last);
    else if (!line.admits_guess || line.is_rough)
      used_first = middle_of(line.of_first), used_last = middle_of(line.of_last);
    draw(clock, line, used_first, used_last, segment.shift, segment.drift);
    if (keeps_record_[clock]) segment.shift = clocks_.clocks[clock].shift, segment.drift = 0;
    if (!is_limited_here) return segment;
    ClockSegment::Limits limits;
    draw(clock, line, middle_of(line.of_first), middle_of(line.of_last), limits.shift, limits.drift);
    limits.bound = (std::max(line.of_first.length(), line.of_last.length()) + 1) / 2;
    segment.limits = limits;
    segment.uncertainty = furthest(line, used_first, used_last);
    return segment;
  }

  // The line that adds `first` and `last` to the guess at the segment's ends.
  void draw(uint32_t clock, const Line& line, double first, double last, Nanoseconds& shift, double& drift) const {
    const double at_first = line.first + first - line.local_first, at_last = line.last + last - line.local_last;
    shift = clocks_.clocks[0].origin - clocks_.clocks[clock].origin + std::llround(at_first);
    if (line.local_last > line.local_first) drift = (at_last - at_first) / (line.local_last - line.local_first);
  }

  static Nanoseconds furthest(const Line& line, double first, double last) {
    const auto from = [](const Interval& limits, double value) {
      return std::max(static_cast<double>(limits.end) - value, value - static_cast<double>(limits.start));
    };
    return std::llround(std::ceil(std::max({0.0, from(line.of_first, first), from(line.of_last, last)})));
  }

  // Half-way between the limits; if only one side is limited, as near to the guess as that allows.
  static double middle_of(const Interval& deviation) {
    if (is_limited(deviation)) return static_cast<double>(deviation.start + deviation.end) / 2;
    return nearest_in(deviation);
  }

  // As near to the guess as the limits allow.
  static double nearest_in(const Interval& deviation) {
    return static_cast<double>(std::clamp<Nanoseconds>(0, deviation.start, deviation.end));
  }

  Interval on_clock(uint32_t clock, const Line& line) const {
    const Nanoseconds origin = clocks_.clocks[clock].origin;
    return {origin + std::llround(line.local_first), origin + std::llround(line.local_last)};
  }

  static constexpr Nanoseconds kBeyond = static_cast<Nanoseconds>(ClockClosure::kReach) / 2;

  const RunClocks& clocks_;
  const ClockEvents& events_;
  std::vector<std::vector<Line>> lines_;  // of each clock, by segment
  std::vector<bool> keeps_record_;        // nothing contradicts what was recorded
  uint64_t dropped_ = 0;
};

// Corrects a clock by the offset of the rank's device against others of its host. The offset's own uncertainty is
// added, as far as drivers let devices differ.
ClockMap moved(const ClockMap& clock, const DeviceOffset& device) {
  std::vector<ClockSegment> segments = clock.segments();
  Nanoseconds furthest = 0;
  if (device.limits) furthest = std::abs(device.limits->middle - device.used) + device.limits->bound;
  furthest = std::min(furthest, std::max<Nanoseconds>(kDeviceOff, std::abs(device.used)));
  for (ClockSegment& segment : segments) {
    segment.shift += device.used;
    segment.uncertainty += furthest;
  }
  return ClockMap(std::move(segments));
}

}  // namespace

void use_recorded_clocks(std::vector<RankTimeline>& ranks) {
  if (ranks.empty()) return;
  const RunClocks clocks = find_clocks(ranks);
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    const RunClocks::Clock& clock = clocks.clocks[clocks.clock_of_rank[rank]];
    ranks[rank].run_clock = ClockMap(clock.shift);
    ranks[rank].clock_basis = clock.basis;
  }
}

ClockAlignment align_clocks(std::vector<RankTimeline>& ranks, ClockEvidence evidence) {
  if (ranks.empty()) return {};
  RunClocks clocks = find_clocks(ranks);
  std::vector<DeviceOffset> devices = find_device_offsets(clocks.clock_of_rank, evidence);
  for (ClockWitness& witness : evidence.witnesses) {
    witness.start += devices[witness.rank].used;
    witness.end += devices[witness.rank].used;
  }
  const ClockEvents events = events_by_clock(evidence, clocks);
  Alignment alignment(clocks, events);
  alignment.run();
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    ranks[rank].run_clock = moved(alignment.map_of(clocks.clock_of_rank[rank]), devices[rank]);
    ranks[rank].clock_basis = alignment.basis_of(clocks.clock_of_rank[rank]);
  }
  return {events.events.size(), alignment.dropped(), std::move(devices)};
}

}  // namespace tauprof
