#include "metrics/places/costliest_place.h"

#include <algorithm>
#include <map>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

constexpr size_t kMostRangesShown = 6;

struct Gap {
  std::string before, after;
  auto operator<=>(const Gap&) const = default;
};

// A place with the places inside it.
struct Tree {
  Nanoseconds time = 0;
  std::map<std::string, Tree> inside;
  std::map<Gap, Nanoseconds> gaps;  // the time outside of all places inside
};

template <class Key>
bool is_named(const std::vector<Key>& keys, Key key) {
  return keys.empty() || std::binary_search(keys.begin(), keys.end(), key);
}

// Whether a table has anything of these steps. The last one has all steps after the leading ones.
bool is_wanted(const RankTimeline& rank, size_t table, const StepSelection& steps,
               const std::vector<int64_t>& numbers) {
  const int64_t number = rank.steps[table].number;
  if (table < kLeadingSteps) return steps.has(number) && is_named(numbers, number);
  return numbers.empty() || numbers.back() >= number;
}

std::string name_in(const RankTimeline& rank, uint32_t name) {
  return name == kNoIndex ? std::string() : rank.place_names[name];
}

void add(const RankTimeline& rank, const PlaceTotal& total, Nanoseconds time, Tree& tree) {
  std::vector<uint32_t> nodes;  // from the inside out
  for (uint32_t node = total.node; node != 0; node = rank.place_nodes[node].parent) nodes.push_back(node);
  Tree* at = &tree;
  at->time += time;
  for (size_t i = nodes.size(); i-- > 0;) {
    at = &at->inside[name_in(rank, rank.place_nodes[nodes[i]].name)];
    at->time += time;
  }
  at->gaps[{name_in(rank, total.before), name_in(rank, total.after)}] += time;
}

// "a > b > c, after x, before y"; of many ranges, the outermost and those inside.
std::string text_of(const std::vector<std::string>& ranges, const Gap& gap) {
  std::string text;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const bool is_shown = i < 2 || i + kMostRangesShown - 2 >= ranges.size();
    if (is_shown) text += (i == 0 ? "" : " > ") + ranges[i];
    if (!is_shown && i == 2) text += " > ...";
  }
  if (!gap.before.empty()) text += (text.empty() ? "after " : ", after ") + gap.before;
  if (!gap.after.empty()) text += (text.empty() ? "before " : ", before ") + gap.after;
  return text;
}

template <class Map, class Time>
auto longest(const Map& places, const Time& time) {
  return std::max_element(places.begin(), places.end(),
                          [&](const auto& a, const auto& b) { return time(a.second) < time(b.second); });
}

CostliestPlace search(const Tree& tree, Nanoseconds row_time) {
  const Tree* at = &tree;
  std::vector<std::string> ranges;
  double enough = std::max(1.0, kAtALine * static_cast<double>(std::max(row_time, tree.time)));
  for (;;) {
    const auto inside = longest(at->inside, [](const Tree& place) { return place.time; });
    const auto gap = longest(at->gaps, [](Nanoseconds time) { return time; });
    const Nanoseconds in_range = inside == at->inside.end() ? 0 : inside->second.time;
    const Nanoseconds in_gap = gap == at->gaps.end() ? 0 : gap->second;
    if (static_cast<double>(in_gap) >= enough && in_gap >= in_range) {
      const std::string where = text_of(ranges, gap->first);
      return {where, where.empty() ? 0 : in_gap};
    }
    if (static_cast<double>(in_range) < enough) return {text_of(ranges, {}), ranges.empty() ? 0 : at->time};
    ranges.push_back(inside->first);
    at = &inside->second;
    enough = kExplains * static_cast<double>(at->time);
  }
}

}  // namespace

CostliestPlace costliest_place(const std::vector<const RankTimeline*>& timelines, const StepSelection& steps,
                               const std::vector<int32_t>& ranks, const std::vector<int64_t>& numbers, LedgerRow row,
                               Nanoseconds row_time, LedgerRows PlaceTotal::*times) {
  Tree tree;
  for (const RankTimeline* const rank : timelines) {
    if (!is_named(ranks, rank->rank)) continue;
    for (size_t table = 0; table < rank->places.size(); ++table) {
      if (!is_wanted(*rank, table, steps, numbers)) continue;
      for (const PlaceTotal& total : rank->places[table])
        if (const Nanoseconds time = (total.*times)[static_cast<size_t>(row)]; time > 0) add(*rank, total, time, tree);
    }
  }
  return search(tree, row_time);
}

}  // namespace tauprof
