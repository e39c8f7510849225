#include "step_search/alternating_updates.h"

#include <algorithm>
#include <iterator>

#include "step_search/step_search_limits.h"
#include "step_search/symbol_set.h"

namespace tauprof {
namespace {

// Everything from one update's end to the end of the next.
struct Round {
  SymbolSet kernels;               // the different ones
  std::vector<uint32_t> launches;  // all of them, sorted
  bool has_input = false;
};

std::vector<Round> rounds_before(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors) {
  std::vector<Round> rounds(anchors.size());
  for (size_t i = 0; i < anchors.size(); ++i) {
    for (size_t at = i == 0 ? 0 : anchors[i - 1].end; at < anchors[i].end; ++at) {
      const Launch& launch = sequence.launches[at];
      // Without a backward thread, count from the last input on: an evaluation may lie before it.
      if (!sequence.has_backward_thread && launch.kind == LaunchKind::kInputCopy)
        rounds[i].kernels = {}, rounds[i].launches.clear();
      const bool counts = sequence.has_backward_thread ? is_backward_work(launch) : launch.kind == LaunchKind::kKernel;
      if (counts) rounds[i].kernels.add(launch.symbol), rounds[i].launches.push_back(launch.symbol);
      rounds[i].has_input |= launch.kind == LaunchKind::kInputCopy;
    }
    rounds[i].kernels.finish();
    std::sort(rounds[i].launches.begin(), rounds[i].launches.end());
  }
  return rounds;
}

// Counts matter: networks with the same kinds of layers launch the same kernels.
bool do_the_same(const Round& a, const Round& b) {
  std::vector<uint32_t> shared;
  std::set_intersection(a.launches.begin(), a.launches.end(), b.launches.begin(), b.launches.end(),
                        std::back_inserter(shared));
  const size_t all = a.launches.size() + b.launches.size() - shared.size();
  return static_cast<double>(shared.size()) >= kAlikePasses * static_cast<double>(all);
}

bool have_the_same(const Round& a, const Round& b) { return a.kernels.likeness(b.kernels) >= kAlikePasses; }

// After how many rounds they repeat; 1 if they do not. The first round may hold the set-up.
template <class Alike>
size_t period_of(const std::vector<Round>& rounds, Alike&& are_alike) {
  for (size_t period = 1; period <= kMostAlternatingUpdates && rounds.size() > 2 * period + 1; ++period) {
    size_t alike = 0;
    for (size_t i = 1; i + period < rounds.size(); ++i) alike += are_alike(rounds[i], rounds[i + period]);
    if (static_cast<double>(alike) >= kAlternationShare * static_cast<double>(rounds.size() - 1 - period))
      return period;
  }
  return 1;
}

// Whether rounds without input do other work than the round with input before them, and rounds with input are mostly
// alike.
bool differ_by_input(const std::vector<Round>& rounds) {
  size_t groups = 0, mixed = 0, inputs = 0, alike = 0, input = 0;
  bool is_counted = false, is_mixed = false;
  for (size_t i = 1; i < rounds.size(); ++i) {
    if (rounds[i].has_input) {
      if (input != 0) ++inputs, alike += do_the_same(rounds[input], rounds[i]);
      input = i;
      is_counted = is_mixed = false;
    } else if (input != 0) {
      groups += !is_counted;
      mixed += !is_mixed && !do_the_same(rounds[input], rounds[i]);
      is_mixed |= !do_the_same(rounds[input], rounds[i]);
      is_counted = true;
    }
  }
  return groups >= 2 && groups * kMostAlternatingUpdates >= inputs &&
         static_cast<double>(mixed) >= kAlternationShare * static_cast<double>(groups) &&
         static_cast<double>(alike) >= kAgreeingSteps * static_cast<double>(inputs);
}

// The rounds with which steps start: each one with input. If several in a row bring input, the first of them.
std::vector<size_t> starts_by_input(const std::vector<Round>& rounds) {
  size_t repeated = 0, inputs = 0;
  for (size_t i = 1; i < rounds.size(); ++i) {
    inputs += rounds[i].has_input;
    repeated += rounds[i].has_input && rounds[i - 1].has_input;
  }
  const bool are_several = static_cast<double>(repeated) > (1 - kUsualShare) * static_cast<double>(inputs);
  std::vector<size_t> starts{0};
  for (size_t i = 1; i < rounds.size(); ++i)
    if (rounds[i].has_input && !(are_several && rounds[i - 1].has_input)) starts.push_back(i);
  return starts;
}

std::vector<size_t> starts_by_period(size_t first, size_t rounds, size_t period) {
  std::vector<size_t> starts;
  for (size_t i = first; i < rounds; i += period) starts.push_back(i);
  return starts;
}

size_t first_with_input(const std::vector<Round>& rounds) {
  return std::find_if(rounds.begin() + 1, rounds.end(), [](const Round& round) { return round.has_input; }) -
         rounds.begin();
}

}  // namespace

size_t join_alternating_updates(const LaunchSequence& sequence, std::vector<StepAnchor>& anchors) {
  if (anchors.size() < 2) return 1;
  const std::vector<Round> rounds = rounds_before(sequence, anchors);
  const bool has_input =
      std::any_of(rounds.begin() + 1, rounds.end(), [](const Round& round) { return round.has_input; });
  size_t updates = 1;  // in a step
  std::vector<size_t> starts;
  if (!has_input) {
    updates = period_of(rounds, have_the_same);
    starts = starts_by_period(0, rounds.size(), updates);
  } else if (differ_by_input(rounds)) {
    starts = starts_by_input(rounds);
    updates = (rounds.size() + starts.size() / 2) / starts.size();
    // The rounds may repeat within one input, or only evaluations bring input. Then each period is a step.
    if (const size_t period = period_of(rounds, do_the_same); period > 1 && period < updates) {
      updates = period;
      starts = starts_by_period(first_with_input(rounds) % period, rounds.size(), period);
    }
  }
  if (updates == 1) return 1;
  std::vector<StepAnchor> joined;
  for (size_t i = 0; i < starts.size(); ++i) {
    const bool is_last = i + 1 == starts.size();
    if (is_last && starts[i] + updates > rounds.size()) break;  // a part of a step
    joined.push_back({anchors[starts[i]].first, anchors[is_last ? rounds.size() - 1 : starts[i + 1] - 1].end});
  }
  anchors = std::move(joined);
  return updates;
}

}  // namespace tauprof
