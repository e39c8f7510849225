#include "step_search/recurrence.h"

#include <algorithm>

#include "step_search/most_frequent.h"
#include "step_search/step_search_limits.h"
#include "step_search/symbol_set.h"

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

std::vector<Gram> grams_of(const RecurrenceInput& input) {
  struct Passed {
    uint64_t gram;  // a hash of its launches
    uint32_t at;
  };
  std::vector<Passed> passed;
  for (size_t i = 0; i + input.gram_length <= input.symbols.size(); ++i) {
    uint64_t hash = 14695981039346656037ull;
    for (size_t k = 0; k < input.gram_length; ++k) hash = (hash ^ (input.symbols[i + k] + 1)) * 1099511628211ull;
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

bool recurs(Gram& gram, const RecurrenceInput& input) {
  if (gram.positions.size() < kLeastRepeats) return false;
  std::vector<uint32_t> distances;
  for (size_t i = 1; i < gram.positions.size(); ++i) distances.push_back(gram.positions[i] - gram.positions[i - 1]);
  std::nth_element(distances.begin(), distances.begin() + distances.size() / 2, distances.end());
  gram.distance = distances[distances.size() / 2];
  if (gram.distance < static_cast<double>(input.least_period)) return false;
  double covered = 0;
  size_t even = 0;
  for (const uint32_t distance : distances) {
    if (!is_even(distance, gram.distance)) continue;
    ++even;
    covered += distance;
  }
  return static_cast<double>(even) >= kRegularShare * static_cast<double>(distances.size()) &&
         covered >= kRecurringShare * static_cast<double>(input.symbols.size());
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

// The symbols in a level's grams, by kind.
struct Vocabulary {
  SymbolSet work, inputs, readbacks;
};

Vocabulary vocabulary_of(const Level& level, const RecurrenceInput& input) {
  Vocabulary words;
  for (const Gram* gram : level.grams)
    for (size_t k = 0; k < input.gram_length; ++k) {
      const size_t at = gram->positions.front() + k;
      if (input.kinds[at] == ElementKind::kWork) words.work.add(input.symbols[at]);
      if (input.kinds[at] == ElementKind::kInput) words.inputs.add(input.symbols[at]);
      if (input.kinds[at] == ElementKind::kReadback) words.readbacks.add(input.symbols[at]);
    }
  for (SymbolSet* set : {&words.work, &words.inputs, &words.readbacks}) set->finish();
  return words;
}

bool adds_a_step(const Vocabulary& longer, const Vocabulary& shorter) {
  const auto added = [&](SymbolSet Vocabulary::*set) {
    return (longer.*set).size() - (longer.*set).shared_with(shorter.*set);
  };
  if (added(&Vocabulary::inputs) > 0) return true;
  return added(&Vocabulary::work) >= (added(&Vocabulary::readbacks) > 0 ? kUpdateLaunches : 1);
}

// The longest period that adds something to the next shorter one chosen.
const Level& choose(const std::vector<Level>& levels, const RecurrenceInput& input) {
  const Level* chosen = &levels.front();
  Vocabulary known = vocabulary_of(*chosen, input);
  for (const Level& level : levels) {
    Vocabulary words = vocabulary_of(level, input);
    if (!adds_a_step(words, known)) continue;
    chosen = &level;
    known = std::move(words);
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

Recurrence find_recurrence(const RecurrenceInput& input) {
  std::vector<Gram> grams = grams_of(input);
  std::erase_if(grams, [&](Gram& gram) { return !recurs(gram, input); });
  if (grams.empty()) return {};
  const std::vector<Level> levels = levels_of(grams);
  const Level& level = choose(levels, input);
  return {static_cast<size_t>(level.distance), best_positions(level)};
}

}  // namespace tauprof
