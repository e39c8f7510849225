#include "step_search/recurrence.h"

#include <algorithm>

#include "step_search/most_frequent.h"
#include "step_search/symbol_set.h"
#include "step_search/thresholds.h"

namespace tauprof {
namespace {

struct Place {
  std::vector<uint32_t> at;
  double distance = 0;  // the median
};

// Places whose distances are even, and the distances that are.
struct Level {
  double distance = 0;  // of the first place
  std::vector<const Place*> places;
};

std::vector<Place> places_of(const RecurrenceInput& input) {
  struct Passed {
    uint64_t place;  // a hash of its launches
    uint32_t at;
  };
  std::vector<Passed> passed;
  for (size_t i = 0; i + input.gram <= input.symbols.size(); ++i) {
    uint64_t hash = 14695981039346656037ull;
    for (size_t k = 0; k < input.gram; ++k) hash = (hash ^ (input.symbols[i + k] + 1)) * 1099511628211ull;
    passed.push_back({hash, static_cast<uint32_t>(i)});
  }
  std::sort(passed.begin(), passed.end(),
            [](const Passed& a, const Passed& b) { return a.place != b.place ? a.place < b.place : a.at < b.at; });
  std::vector<Place> places;
  for (size_t i = 0; i < passed.size(); ++i) {
    if (i == 0 || passed[i].place != passed[i - 1].place) places.emplace_back();
    places.back().at.push_back(passed[i].at);
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.at.front() < b.at.front(); });
  return places;
}

bool is_even(double distance, double median) {
  return distance <= median * kDistanceFactor && distance >= median / kDistanceFactor;
}

bool recurs(Place& place, const RecurrenceInput& input) {
  if (place.at.size() < kLeastRepeats) return false;
  std::vector<uint32_t> distances;
  for (size_t i = 1; i < place.at.size(); ++i) distances.push_back(place.at[i] - place.at[i - 1]);
  std::nth_element(distances.begin(), distances.begin() + distances.size() / 2, distances.end());
  place.distance = distances[distances.size() / 2];
  if (place.distance < static_cast<double>(input.least_period)) return false;
  double covered = 0;
  size_t even = 0;
  for (const uint32_t distance : distances) {
    if (!is_even(distance, place.distance)) continue;
    ++even;
    covered += distance;
  }
  return static_cast<double>(even) >= kRegularShare * static_cast<double>(distances.size()) &&
         covered >= kRecurringShare * static_cast<double>(input.symbols.size());
}

std::vector<Level> levels_of(const std::vector<Place>& places) {
  std::vector<const Place*> sorted;
  for (const Place& place : places) sorted.push_back(&place);
  std::sort(sorted.begin(), sorted.end(), [](const Place* a, const Place* b) { return a->distance < b->distance; });
  std::vector<Level> levels;
  for (const Place* place : sorted) {
    if (levels.empty() || !is_even(place->distance, levels.back().distance)) levels.push_back({place->distance, {}});
    levels.back().places.push_back(place);
  }
  return levels;
}

// What is launched at the places of a level, by kind.
struct Vocabulary {
  SymbolSet work, inputs, readbacks;
};

Vocabulary vocabulary_of(const Level& level, const RecurrenceInput& input) {
  Vocabulary words;
  for (const Place* place : level.places)
    for (size_t k = 0; k < input.gram; ++k) {
      const size_t at = place->at.front() + k;
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

// The longest period that adds something to the one before it.
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

// A place that is passed as often as most: not in evaluations as well, and not only where a detour is made.
std::vector<size_t> best_place(const Level& level) {
  std::vector<size_t> counts;
  for (const Place* place : level.places) counts.push_back(place->at.size());
  const size_t count = most_frequent(std::move(counts)).value;
  const Place* best = nullptr;
  for (const Place* place : level.places)
    if (place->at.size() == count && (best == nullptr || place->at.front() < best->at.front())) best = place;
  return {best->at.begin(), best->at.end()};
}

}  // namespace

Recurrence find_recurrence(const RecurrenceInput& input) {
  std::vector<Place> places = places_of(input);
  std::erase_if(places, [&](Place& place) { return !recurs(place, input); });
  if (places.empty()) return {};
  const std::vector<Level> levels = levels_of(places);
  const Level& level = choose(levels, input);
  return {static_cast<size_t>(level.distance), best_place(level)};
}

}  // namespace tauprof
