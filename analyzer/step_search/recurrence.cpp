#include "step_search/recurrence.h"

#include <algorithm>
#include <set>

#include "step_search/most_frequent.h"
#include "step_search/step_search_limits.h"

namespace tauprof {
namespace {

struct Gram {
  std::vector<uint32_t> positions;
  double distance = 0;  // the median
};

// Grams whose median distances are nearly the same.
struct Level {
  double distance = 0;  // of the first gram
  std::vector<const Gram*> grams;
};

std::vector<Gram> grams_of(const std::vector<Launch>& launches) {
  struct Passed {
    uint64_t gram;  // a hash of its launches
    uint32_t at;
  };
  std::vector<Passed> passed;
  for (size_t i = 0; i + kGramLaunches <= launches.size(); ++i) {
    uint64_t hash = 14695981039346656037ull;
    for (size_t k = 0; k < kGramLaunches; ++k) hash = (hash ^ (launches[i + k].symbol + 1)) * 1099511628211ull;
    passed.push_back({hash, static_cast<uint32_t>(i)});
  }
  std::sort(passed.begin(), passed.end(),
            [](const Passed& a, const Passed& b) { return a.gram != b.gram ? a.gram < b.gram : a.at < b.at; });
  std::vector<Gram> grams;
  for (size_t i = 0; i < passed.size(); ++i) {
    if (i == 0 || passed[i].gram != passed[i - 1].gram) grams.emplace_back();
    grams.back().positions.push_back(passed[i].at);
  }
  std::sort(grams.begin(), grams.end(),
            [](const Gram& a, const Gram& b) { return a.positions.front() < b.positions.front(); });
  return grams;
}

bool is_even(double distance, double median) {
  return distance <= median * kDistanceFactor && distance >= median / kDistanceFactor;
}

bool recurs(Gram& gram, const std::vector<Launch>& launches) {
  if (gram.positions.size() < kLeastRepeats) return false;
  std::vector<uint32_t> distances;
  for (size_t i = 1; i < gram.positions.size(); ++i) distances.push_back(gram.positions[i] - gram.positions[i - 1]);
  std::nth_element(distances.begin(), distances.begin() + distances.size() / 2, distances.end());
  gram.distance = distances[distances.size() / 2];
  if (gram.distance < static_cast<double>(kLeastPeriod)) return false;
  double covered = 0;
  size_t even = 0;
  for (const uint32_t distance : distances) {
    if (!is_even(distance, gram.distance)) continue;
    ++even;
    covered += distance;
  }
  return static_cast<double>(even) >= kRegularShare * static_cast<double>(distances.size()) &&
         covered >= kRecurringShare * static_cast<double>(launches.size());
}

std::vector<Level> levels_of(const std::vector<Gram>& grams) {
  std::vector<const Gram*> sorted;
  for (const Gram& gram : grams) sorted.push_back(&gram);
  std::sort(sorted.begin(), sorted.end(), [](const Gram* a, const Gram* b) { return a->distance < b->distance; });
  std::vector<Level> levels;
  for (const Gram* gram : sorted) {
    if (levels.empty() || !is_even(gram->distance, levels.back().distance)) levels.push_back({gram->distance, {}});
    levels.back().grams.push_back(gram);
  }
  return levels;
}

// What a level's grams launch.
std::set<uint32_t> symbols_of(const Level& level, const std::vector<Launch>& launches) {
  std::set<uint32_t> symbols;
  for (const Gram* gram : level.grams)
    for (size_t k = 0; k < kGramLaunches; ++k) symbols.insert(launches[gram->positions.front() + k].symbol);
  return symbols;
}

bool adds_a_step(const Level& longer, const std::set<uint32_t>& known, const std::vector<Launch>& launches) {
  std::set<uint32_t> inputs, readbacks, work;  // that are not known yet
  for (const Gram* gram : longer.grams)
    for (size_t at = gram->positions.front(); at < gram->positions.front() + kGramLaunches; ++at) {
      const Launch& launch = launches[at];
      if (known.count(launch.symbol) > 0) continue;
      std::set<uint32_t>& of_kind = launch.kind == LaunchKind::kInputCopy ? inputs
                                    : reads_or_waits(launch)              ? readbacks
                                                                          : work;
      of_kind.insert(launch.symbol);
    }
  return !inputs.empty() || work.size() >= (readbacks.empty() ? 1 : kUpdateLaunches);
}

// The longest period that adds something to the next shorter one chosen.
const Level& choose(const std::vector<Level>& levels, const std::vector<Launch>& launches) {
  const Level* chosen = &levels.front();
  std::set<uint32_t> known = symbols_of(*chosen, launches);
  for (const Level& level : levels)
    if (adds_a_step(level, known, launches)) {
      chosen = &level;
      known = symbols_of(level, launches);
    }
  return *chosen;
}

// The positions of a gram that occurs as often as most do. So it occurs neither in evaluations as well nor only in
// detours.
std::vector<size_t> best_positions(const Level& level) {
  std::vector<size_t> counts;
  for (const Gram* gram : level.grams) counts.push_back(gram->positions.size());
  const size_t count = most_frequent(std::move(counts)).value;
  const Gram* best = nullptr;
  for (const Gram* gram : level.grams)
    if (gram->positions.size() == count && (best == nullptr || gram->positions.front() < best->positions.front()))
      best = gram;
  return {best->positions.begin(), best->positions.end()};
}

}  // namespace

Recurrence find_recurrence(const LaunchSequence& sequence) {
  const std::vector<Launch>& launches = sequence.launches;
  std::vector<Gram> grams = grams_of(launches);
  std::erase_if(grams, [&](Gram& gram) { return !recurs(gram, launches); });
  if (grams.empty()) return {};
  const std::vector<Level> levels = levels_of(grams);
  const Level& level = choose(levels, launches);
  return {static_cast<size_t>(level.distance), best_positions(level)};
}

}  // namespace tauprof
