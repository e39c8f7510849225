#include "steps/alternating_updates.h"

#include <algorithm>
#include <iterator>

#include "limits/analysis_limits.h"
#include "steps/most_frequent.h"

namespace tauprof {
namespace {

// Everything from one update's end to the end of the next.
struct Round {
  std::vector<uint32_t> kernels;  // that tell its work, sorted
  bool has_input = false;
};

std::vector<Round> rounds_before(const LaunchSequence& sequence, const std::vector<Update>& updates) {
  std::vector<Round> rounds(updates.size());
  for (size_t i = 0; i < updates.size(); ++i) {
    Round& round = rounds[i];
    for (size_t at = i == 0 ? 0 : updates[i - 1].end; at < updates[i].end; ++at) {
      const Launch& launch = sequence.launches[at];
      round.has_input |= launch.kind == LaunchKind::kInputCopy;
      if (!sequence.has_backward_thread && launch.kind == LaunchKind::kInputCopy) round.kernels.clear();
      const bool counts = sequence.has_backward_thread ? is_backward_work(launch) : launch.kind == LaunchKind::kKernel;
      if (counts) round.kernels.push_back(launch.symbol);
    }
    std::sort(round.kernels.begin(), round.kernels.end());
  }
  return rounds;
}

// Counts matter: networks with the same kinds of layers launch the same kernels.
bool do_the_same(const Round& a, const Round& b) {
  const auto [less, more] = std::minmax({a.kernels.size(), b.kernels.size()});
  if (static_cast<double>(less) < kAlikePasses * static_cast<double>(more)) return false;
  std::vector<uint32_t> shared;
  std::set_intersection(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(),
                        std::back_inserter(shared));
  const size_t all = a.kernels.size() + b.kernels.size() - shared.size();
  return static_cast<double>(shared.size()) >= kAlikePasses * static_cast<double>(all);
}

// The set-up lies in the first round. Its kernels are those that no other round has.
void remove_set_up(std::vector<Round>& rounds) {
  std::vector<uint32_t> later;
  for (size_t i = 1; i < rounds.size(); ++i)
    later.insert(later.end(), rounds[i].kernels.begin(), rounds[i].kernels.end());
  std::sort(later.begin(), later.end());
  std::erase_if(rounds.front().kernels,
                [&](uint32_t kernel) { return !std::binary_search(later.begin(), later.end(), kernel); });
}

// The rounds with which steps start. `continues_alike`: a round of the same work as the one before continues its step.
std::vector<size_t> starts_of(const std::vector<Round>& rounds, bool continues_alike) {
  std::vector<size_t> starts{0};
  for (size_t i = 1; i < rounds.size(); ++i) {
    const bool begins = rounds[i].has_input || do_the_same(rounds[i], rounds[starts.back()]);
    if (begins && !(continues_alike && do_the_same(rounds[i], rounds[i - 1]))) starts.push_back(i);
  }
  return starts;
}

// The number of updates in a step, if most steps have the same; else 1.
size_t updates_between(const std::vector<size_t>& starts) {
  std::vector<size_t> counts;
  for (size_t i = 1; i < starts.size(); ++i) counts.push_back(starts[i] - starts[i - 1]);
  const Frequency most = most_frequent(counts);
  return static_cast<double>(most.times) >= kAgreeingSteps * static_cast<double>(counts.size()) ? most.value : 1;
}

}  // namespace

size_t join_alternating_updates(const LaunchSequence& sequence, std::vector<Update>& updates) {
  std::vector<Round> rounds = rounds_before(sequence, updates);
  remove_set_up(rounds);
  for (const bool continues_alike : {false, true}) {
    const std::vector<size_t> starts = starts_of(rounds, continues_alike);
    if (starts.size() == rounds.size()) break;  // every round is a step
    const size_t in_step = updates_between(starts);
    if (in_step <= 1 || in_step > kMostAlternatingUpdates) continue;
    std::vector<Update> joined;
    for (size_t i = 0; i < starts.size(); ++i) {
      const bool is_last = i + 1 == starts.size();
      if (is_last && starts[i] + in_step > rounds.size()) break;  // a part of a step
      joined.push_back({updates[starts[i]].first, updates[is_last ? rounds.size() - 1 : starts[i + 1] - 1].end});
    }
    updates = std::move(joined);
    return in_step;
  }
  return 1;
}

}  // namespace tauprof
