#include "align/clock_closure.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// Recorded times are whole nanoseconds: a true inequality may look violated by two.
constexpr double kRounding = 2;
// Cuts that would change less than this are not made, so that the closure ends.
constexpr double kFinestCut = 0.5;
constexpr int kMostRounds = 500;

class Closure {
 public:
  Closure(const ClockEvents& events, const std::vector<ClockGuess>& guesses, double first, double last)
      : events_(events), guesses_(guesses), middle_((first + last) / 2), half_(std::max(1.0, (last - first) / 2)) {}

  double margin(uint32_t event) const {
    double earliest_end = ClockClosure::kReach * 1e6, latest_start = -earliest_end;
    for (uint32_t i = 0; i < events_.events[event].witness_count; ++i) {
      const ClockEvents::Witness& witness = witness_of(event, i);
      if (witness.proves_end) earliest_end = std::min(earliest_end, guesses_[witness.clock].on_run(witness.end));
      if (witness.proves_start) latest_start = std::max(latest_start, guesses_[witness.clock].on_run(witness.start));
    }
    return earliest_end - latest_start;
  }

  // False: the events contradict each other.
  bool close(const std::vector<uint32_t>& which) {
    reset();
    std::vector<uint32_t> visited(events_.events.size(), 0);  // round of the last visit; 0: none
    for (uint32_t round = 1; round <= kMostRounds; ++round) {
      bool any = false;
      for (size_t i = 0; i < which.size(); ++i) {
        const uint32_t event = which[round % 2 == 1 ? i : which.size() - 1 - i];
        if (!has_news(event, visited[event])) continue;
        visited[event] = round;
        round_ = round;
        any = true;
        if (!visit(event)) return false;
      }
      if (!any) break;
    }
    return true;
  }

  std::vector<ClockClosure::Fit> fits(const std::vector<uint32_t>& which,
                                      const std::vector<LineSet::Line>& alternatives) const {
    std::vector<ClockClosure::Fit> result(guesses_.size());
    for (const uint32_t event : which) {
      const Hub hub = hub_of(event);
      for (uint32_t i = 0; i < events_.events[event].witness_count; ++i) {
        const ClockEvents::Witness& witness = witness_of(event, i);
        const ClockGuess& guess = guesses_[witness.clock];
        double beyond = 0;
        if (const double start = guess.on_run(witness.start); witness.proves_start)
          beyond = std::max(beyond, start + alternatives[witness.clock].at(along(start)) - hub.last);
        if (const double end = guess.on_run(witness.end); witness.proves_end)
          beyond = std::max(beyond, hub.first - end - alternatives[witness.clock].at(along(end)));
        ClockClosure::Fit& fit = result[witness.clock];
        ++fit.events;
        fit.contradicted += beyond > 2 * kRounding;
        fit.most = std::max(fit.most, beyond);
      }
    }
    return result;
  }

  std::vector<LineSet> take() { return std::move(sets_); }

 private:
  const ClockEvents::Witness& witness_of(uint32_t event, uint32_t i) const {
    return events_.witnesses[events_.events[event].first_witness + i];
  }
  double along(double run_time) const { return (run_time - middle_) / half_; }

  void reset() {
    sets_.clear();
    for (const ClockGuess& guess : guesses_)
      if (guess.is_reference)
        sets_.emplace_back(LineSet::Line{});
      else
        sets_.emplace_back(ClockClosure::kReach, 2 * half_ * (-kMostDrift - guess.drift),
                           2 * half_ * (kMostDrift - guess.drift));
    changed_.assign(guesses_.size(), 1);
  }

  // Whether a clock of the event was cut in the round of its last visit or later.
  bool has_news(uint32_t event, uint32_t visited) const {
    if (visited == 0) return true;
    for (uint32_t i = 0; i < events_.events[event].witness_count; ++i)
      if (changed_[witness_of(event, i).clock] >= visited) return true;
    return false;
  }

  // Limits of the instant between all starts and all ends.
  struct Hub {
    double first = -ClockClosure::kReach * 1e6;
    double last = ClockClosure::kReach * 1e6;
  };
  Hub hub_of(uint32_t event) const {
    Hub hub;
    for (uint32_t i = 0; i < events_.events[event].witness_count; ++i) {
      const ClockEvents::Witness& witness = witness_of(event, i);
      const ClockGuess& guess = guesses_[witness.clock];
      if (witness.proves_start) {
        const double start = guess.on_run(witness.start);
        hub.first = std::max(hub.first, start + sets_[witness.clock].lowest(along(start)));
      }
      if (witness.proves_end) {
        const double end = guess.on_run(witness.end);
        hub.last = std::min(hub.last, end + sets_[witness.clock].highest(along(end)));
      }
    }
    return hub;
  }

  bool visit(uint32_t event) {
    const Hub hub = hub_of(event);
    for (uint32_t i = 0; i < events_.events[event].witness_count; ++i)
      if (!cut(witness_of(event, i), hub)) return false;
    return true;
  }

  bool cut(const ClockEvents::Witness& witness, const Hub& hub) {
    const ClockGuess& guess = guesses_[witness.clock];
    if (guess.is_reference) return true;
    LineSet& set = sets_[witness.clock];
    if (witness.proves_start) {
      const double start = guess.on_run(witness.start), limit = hub.last + kRounding - start;
      if (set.highest(along(start)) > limit + kFinestCut) {
        if (!set.keep_below(along(start), limit)) return false;
        changed_[witness.clock] = round_;
      }
    }
    if (witness.proves_end) {
      const double end = guess.on_run(witness.end), limit = hub.first - kRounding - end;
      if (set.lowest(along(end)) < limit - kFinestCut) {
        if (!set.keep_above(along(end), limit)) return false;
        changed_[witness.clock] = round_;
      }
    }
    return true;
  }

  const ClockEvents& events_;
  const std::vector<ClockGuess>& guesses_;
  const double middle_, half_;
  std::vector<LineSet> sets_;
  std::vector<uint32_t> changed_;  // by clock: the round of its last cut
  uint32_t round_ = 0;
};

}  // namespace

ClockClosure close_inequalities(const ClockEvents& events, const std::vector<uint32_t>& which,
                                const std::vector<ClockGuess>& guesses, const std::vector<LineSet::Line>& alternatives,
                                double first, double last) {
  Closure closure(events, guesses, first, last);
  ClockClosure result{first, last, {}, {}, 0};
  std::vector<uint32_t> kept = which;
  if (!closure.close(kept)) {
    std::vector<std::pair<double, uint32_t>> by_margin;
    for (const uint32_t event : which) by_margin.emplace_back(closure.margin(event), event);
    std::sort(by_margin.begin(), by_margin.end());
    const auto close_without = [&](size_t dropped) {
      kept.clear();
      for (size_t i = dropped; i < by_margin.size(); ++i) kept.push_back(by_margin[i].second);
      std::sort(kept.begin(), kept.end());
      return closure.close(kept);
    };
    // Dropping all events leaves nothing to contradict.
    size_t too_few = 0, enough = 1;
    while (enough < which.size() && !close_without(enough))
      too_few = enough, enough = std::min(2 * enough, which.size());
    while (enough - too_few > 1) {
      const size_t middle = too_few + (enough - too_few) / 2;
      (close_without(middle) ? enough : too_few) = middle;
    }
    close_without(enough);
    result.dropped = enough;
  }
  result.alternative = closure.fits(kept, alternatives);
  result.deviation = closure.take();
  return result;
}

}  // namespace tauprof
