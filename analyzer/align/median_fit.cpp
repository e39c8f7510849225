#include "align/median_fit.h"

#include <algorithm>
#include <deque>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

constexpr uint8_t kWeakest = 2;

struct Sample {
  double time;
  double behind;
  uint8_t weakness;  // samples of a greater one do not count beside it: see the header
};

ClockGuess fit(std::vector<Sample>& samples, double most_drift) {
  uint8_t strongest = kWeakest;
  for (const Sample& sample : samples) strongest = std::min(strongest, sample.weakness);
  std::erase_if(samples, [&](const Sample& sample) { return sample.weakness > strongest; });
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.time < b.time; });
  const size_t half = samples.size() / 2;
  ClockGuess guess;
  guess.is_by_ends = strongest == 0;
  guess.is_rough = strongest == kWeakest;
  guess.pivot = samples[half].time;
  std::vector<double> values;
  for (size_t i = 0; i + half < samples.size() && samples.size() >= kFewestForDrift; ++i) {
    const Sample &a = samples[i], &b = samples[i + half];
    if (b.time > a.time) values.push_back((b.behind - a.behind) / (b.time - a.time));
  }
  if (!values.empty()) guess.drift = std::clamp(median(values), -most_drift, most_drift);
  values.clear();
  for (const Sample& sample : samples) values.push_back(sample.behind - guess.drift * (sample.time - guess.pivot));
  guess.shift = median(values);
  return guess;
}

class Spreading {
 public:
  Spreading(const RunClocks& clocks, const ClockEvents& events, const std::vector<uint32_t>& which, double most_drift)
      : clocks_(clocks),
        events_(events),
        most_drift_(most_drift),
        guesses_(clocks.clocks.size()),
        is_known_(clocks.clocks.size()),
        samples_(clocks.clocks.size()),
        events_of_(clocks.clocks.size()),
        unknown_left_(events.events.size()) {
    for (const uint32_t event : which) {
      unknown_left_[event] = events_.events[event].witness_count;
      for (uint32_t i = 0; i < events_.events[event].witness_count; ++i)
        events_of_[witness(event, i).clock].push_back(event);
    }
  }

  std::vector<ClockGuess> run() {
    for (uint32_t clock = 0; clock < guesses_.size(); ++clock) {
      if (is_known_[clock]) continue;
      guesses_[clock].shift = clocks_.recorded_time(clock, 0);
      guesses_[clock].is_reference = true;
      start_part(clock);
    }
    return std::move(guesses_);
  }

 private:
  const ClockEvents::Witness& witness(uint32_t event, uint32_t i) const {
    return events_.witnesses[events_.events[event].first_witness + i];
  }

  // Of the members of an all-to-all each proves its start and its end; of a message, each side one of them.
  uint8_t weakness_of(uint32_t event) const {
    if (events_.events[event].ends == Ends::kCommon) return 0;
    return witness(event, 0).proves_start && witness(event, 0).proves_end ? kWeakest : 1;
  }

  void learn(uint32_t clock, uint32_t part) {
    guesses_[clock].part = part;
    is_known_[clock] = true;
    for (const uint32_t event : events_of_[clock]) --unknown_left_[event];
  }

  void start_part(uint32_t reference) {
    learn(reference, reference);
    std::deque<uint32_t> next{reference};
    while (!next.empty()) {
      const uint32_t known = next.front();
      next.pop_front();
      for (const uint32_t clock : sample_neighbours(known)) {
        guesses_[clock] = fit(samples_[clock], most_drift_);
        samples_[clock] = {};
        learn(clock, reference);
        next.push_back(clock);
      }
    }
  }

  std::vector<uint32_t> sample_neighbours(uint32_t known) {
    std::vector<uint32_t> found;
    for (const uint32_t event : events_of_[known]) {
      if (unknown_left_[event] == 0) continue;
      const uint32_t count = events_.events[event].witness_count;
      double known_end = 0;
      for (uint32_t i = 0; i < count; ++i)
        if (witness(event, i).clock == known) known_end = guesses_[known].on_run(witness(event, i).end);
      for (uint32_t i = 0; i < count; ++i) {
        const ClockEvents::Witness& other = witness(event, i);
        if (is_known_[other.clock]) continue;
        if (samples_[other.clock].empty()) found.push_back(other.clock);
        samples_[other.clock].push_back({other.end, known_end - other.end, weakness_of(event)});
      }
    }
    return found;
  }

  const RunClocks& clocks_;
  const ClockEvents& events_;
  const double most_drift_;
  std::vector<ClockGuess> guesses_;
  std::vector<bool> is_known_;
  std::vector<std::vector<Sample>> samples_;
  std::vector<std::vector<uint32_t>> events_of_;
  std::vector<uint32_t> unknown_left_;  // by event: number of clocks that are not known yet
};

}  // namespace

std::vector<ClockGuess> guess_by_medians(const RunClocks& clocks, const ClockEvents& events,
                                         const std::vector<uint32_t>& which, double most_drift) {
  return Spreading(clocks, events, which, most_drift).run();
}

}  // namespace tauprof
