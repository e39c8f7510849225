#include "metrics/run/row_places.h"

#include <algorithm>
#include <map>

#include "limits/analysis_limits.h"

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

using RowsOfStep = std::map<int64_t, LedgerRows>;

struct RankRows {
  int32_t rank = -1;
  RowsOfStep rows;
  std::map<int64_t, Nanoseconds> windows;
};

std::vector<RankRows> rows_of(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  std::vector<RankRows> all;
  for (const RankTimeline* const rank : ranks) {
    RankRows& rank_rows = all.emplace_back(RankRows{rank->rank, {}, {}});
    for (const RankStep& step : rank->steps) {
      if (!steps.has(step.number) || !step.device) continue;
      LedgerRows& rows = rank_rows.rows[step.number];
      rank_rows.windows[step.number] += step.device->length();
      for (const LedgerCell& cell : step.cells) rows[static_cast<size_t>(cell.row)] += cell.length;
    }
  }
  return all;
}

RowPlace place_of(const std::vector<RankRows>& all, size_t row) {
  RowPlace place;
  std::map<int32_t, Nanoseconds> of_rank;
  std::map<int64_t, Nanoseconds> of_step;
  for (const RankRows& rank : all)
    for (const auto& [step, rows] : rank.rows) of_rank[rank.rank] += rows[row];
  place.ranks = concentrated(of_rank, kMajority);
  for (const RankRows& rank : all)
    if (is_named(place.ranks, rank.rank))
      for (const auto& [step, rows] : rank.rows) of_step[step] += rows[row];
  place.steps = concentrated(of_step, kMostOdd);
  for (const RankRows& rank : all) {
    if (!is_named(place.ranks, rank.rank)) continue;
    for (const auto& [step, window] : rank.windows) {
      place.of += window;
      ++place.windows;
      if (!is_named(place.steps, step)) continue;
      place.time += rank.rows.at(step)[row];
      place.of_steps += window;
      ++place.windows_of_steps;
    }
  }
  return place;
}

}  // namespace

std::array<RowPlace, kLedgerRowCount> row_places(const std::vector<const RankTimeline*>& ranks,
                                                 const StepSelection& steps) {
  const std::vector<RankRows> all = rows_of(ranks, steps);
  std::array<RowPlace, kLedgerRowCount> places;
  for (size_t row = 0; row < kLedgerRowCount; ++row) places[row] = place_of(all, row);
  return places;
}

}  // namespace tauprof
