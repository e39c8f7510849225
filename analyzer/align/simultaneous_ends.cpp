#include "align/simultaneous_ends.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

double middle(std::vector<double>& sorted) {
  std::sort(sorted.begin(), sorted.end());
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

// `behind`: by how much each end lies before the others'.
bool lean_to_one_side(std::vector<double> behind) {
  if (behind.empty() || std::abs(middle(behind)) <= static_cast<double>(kEndsApart)) return false;
  const size_t quarter = behind.size() / 4;
  return behind[quarter] > 0 || behind[behind.size() - 1 - quarter] < 0;
}

}  // namespace

std::vector<bool> contradicted_by_ends(const RunClocks& clocks, const ClockEvents& events,
                                       const std::vector<uint32_t>& which, const std::vector<ClockGuess>& guesses) {
  std::vector<std::vector<std::pair<double, double>>> behind(guesses.size());  // by clock: when, and by how much
  for (const uint32_t i : which) {
    const ClockEvents::Event& event = events.events[i];
    if (event.ends != Ends::kCommon) continue;
    const auto first = events.witnesses.begin() + event.first_witness, last = first + event.witness_count;
    std::vector<double> ends;
    for (auto witness = first; witness != last; ++witness) ends.push_back(guesses[witness->clock].on_run(witness->end));
    const double end = middle(ends);
    for (auto witness = first; witness != last; ++witness)
      behind[witness->clock].emplace_back(end, end - clocks.recorded_time(witness->clock, witness->end));
  }
  std::vector<bool> contradicted(guesses.size());
  for (size_t clock = 0; clock < guesses.size(); ++clock) {
    std::sort(behind[clock].begin(), behind[clock].end());
    std::vector<double> halves[2];
    for (size_t i = 0; i < behind[clock].size(); ++i)
      halves[2 * i >= behind[clock].size()].push_back(behind[clock][i].second);
    contradicted[clock] = lean_to_one_side(halves[0]) || lean_to_one_side(halves[1]);
  }
  return contradicted;
}

}  // namespace tauprof
