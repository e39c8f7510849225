#include "metrics/run/row_places.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "limits/analysis_limits.h"
#include "model/flat_map.h"

namespace tauprof {
namespace {

// The keys that have kConcentrated of all time, the fewest, and those with kAsMuch of what the least of them has; empty
// if they are more than this share of all.
template <class Key>
std::vector<Key> concentrated(const std::map<Key, Nanoseconds>& time_of, double most) {
  std::vector<std::pair<Nanoseconds, Key>> order;
  Nanoseconds total = 0;
  for (const auto& [key, time] : time_of) {
    order.emplace_back(-time, key);
    total += time;
  }
  std::sort(order.begin(), order.end());
  std::vector<Key> keys;
  Nanoseconds sum = 0, least = 0;
  for (const auto& [negative, key] : order) {
    const Nanoseconds time = -negative;
    const bool has_enough = static_cast<double>(sum) >= kConcentrated * static_cast<double>(total);
    if (has_enough && !is_as_much(time, least)) break;
    keys.push_back(key);
    sum += time;
    if (!has_enough) least = time;
  }
  if (total == 0 || static_cast<double>(keys.size()) > most * static_cast<double>(order.size())) return {};
  std::sort(keys.begin(), keys.end());
  return keys;
}

template <class Key>
bool is_named(const std::vector<Key>& keys, Key key) {
  return keys.empty() || std::binary_search(keys.begin(), keys.end(), key);
}

struct WindowRows {
  size_t step = 0;  // index into the numbers of all ranks' steps
  Nanoseconds length = 0;
  LedgerRows rows{};
};

struct RankRows {
  int32_t rank = -1;
  FlatMap<int64_t, WindowRows> windows;  // by the step's number
};

struct RunRows {
  std::vector<RankRows> ranks;
  std::vector<int64_t> steps;  // numbers
};

RunRows rows_of(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  RunRows all;
  std::set<int64_t> numbers;
  for (const RankTimeline* const rank : ranks) {
    RankRows& rank_rows = all.ranks.emplace_back(RankRows{rank->rank, {}});
    for (const RankStep& step : rank->steps) {
      if (!steps.has(step.number) || !step.device) continue;
      WindowRows& window = rank_rows.windows[step.number];
      window.length += step.device->length();
      for (const LedgerCell& cell : step.cells) window.rows[static_cast<size_t>(cell.row)] += cell.length;
      numbers.insert(step.number);
    }
  }
  all.steps.assign(numbers.begin(), numbers.end());
  for (RankRows& rank : all.ranks)
    for (auto& [number, window] : rank.windows)
      window.step = std::lower_bound(all.steps.begin(), all.steps.end(), number) - all.steps.begin();
  return all;
}

RowPlace place_of(const RunRows& all, size_t row) {
  RowPlace place;
  std::map<int32_t, Nanoseconds> of_rank;
  for (const RankRows& rank : all.ranks)
    for (const auto& [step, window] : rank.windows) of_rank[rank.rank] += window.rows[row];
  place.ranks = concentrated(of_rank, kMajority);
  std::vector<std::optional<Nanoseconds>> in_steps(all.steps.size());
  for (const RankRows& rank : all.ranks)
    if (is_named(place.ranks, rank.rank))
      for (const auto& [step, window] : rank.windows)
        in_steps[window.step] = in_steps[window.step].value_or(0) + window.rows[row];
  std::map<int64_t, Nanoseconds> of_step;
  for (size_t step = 0; step < in_steps.size(); ++step)
    if (in_steps[step]) of_step[all.steps[step]] = *in_steps[step];
  place.steps = concentrated(of_step, kMostOdd);
  std::vector<bool> is_step_named;
  for (const int64_t step : all.steps) is_step_named.push_back(is_named(place.steps, step));
  for (const RankRows& rank : all.ranks) {
    if (!is_named(place.ranks, rank.rank)) continue;
    for (const auto& [step, window] : rank.windows) {
      place.of_all_steps += window.length;
      ++place.windows;
      if (!is_step_named[window.step]) continue;
      place.time += window.rows[row];
      place.of_steps += window.length;
      ++place.windows_of_steps;
    }
  }
  return place;
}

}  // namespace

std::array<RowPlace, kLedgerRowCount> row_places(const std::vector<const RankTimeline*>& ranks,
                                                 const StepSelection& steps) {
  const RunRows all = rows_of(ranks, steps);
  std::array<RowPlace, kLedgerRowCount> places;
  for (size_t row = 0; row < kLedgerRowCount; ++row) places[row] = place_of(all, row);
  return places;
}

}  // namespace tauprof
