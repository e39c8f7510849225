#include "metrics/places/host_places.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

HostPlaces::HostPlaces(const ProcessTrace& trace) : trace_(trace), kinds_(trace), segments_(trace.threads.size()) {}

uint32_t HostPlaces::node_of(uint32_t parent, NameId name) {
  const auto [known, is_new] = node_numbers_.try_emplace(static_cast<uint64_t>(parent) << 32 | name, nodes_.size());
  if (is_new) nodes_.push_back({parent, name});
  return known->second;
}

// A module or function of Python's takes the place of the one around it.
uint32_t HostPlaces::node_inside(const std::vector<Open>& open, Kind kind, NameId name) {
  const bool replaces = kind == Kind::kModule || kind == Kind::kFunction;
  if (!replaces || std::none_of(open.begin(), open.end(), [&](const Open& one) { return one.kind == kind; }))
    return node_of(open.empty() ? 0 : open.back().node, name);
  uint32_t node = 0;
  for (size_t i = 0; i < open.size(); ++i) {
    // An inner one of the same kind took its place already.
    const bool is_replaced =
        open[i].kind == kind || ((open[i].kind == Kind::kModule || open[i].kind == Kind::kFunction) &&
                                 std::any_of(open.begin() + static_cast<std::ptrdiff_t>(i) + 1, open.end(),
                                             [&](const Open& inner) { return inner.kind == open[i].kind; }));
    if (!is_replaced) node = node_of(node, open[i].name);
  }
  return node_of(node, name);
}

void HostPlaces::lay_out(uint16_t thread) {
  std::vector<Segment>& segments = segments_[thread];
  const auto by_thread = [](const HostRange& range, uint16_t number) { return range.thread < number; };
  auto range = std::lower_bound(trace_.ranges.begin(), trace_.ranges.end(), thread, by_thread);
  std::vector<NameId> opened{kNoName};  // the operator that starts with each segment
  segments.push_back({INT64_MIN, {}});
  std::vector<Open> open;
  NameId ended = kNoName;
  const auto add = [&](Nanoseconds time, NameId operation) {
    const uint32_t node = open.empty() ? 0 : open.back().node;
    segments.push_back({time, {node, ended, kNoName}});
    opened.push_back(operation);
  };
  const auto close = [&](Nanoseconds latest) {
    const Open last = open.back();
    open.pop_back();
    if (last.kind == Kind::kOperator) ended = last.name;
    add(std::min(last.end, latest), kNoName);
  };
  for (; range != trace_.ranges.end() && range->thread == thread; ++range) {
    const Kind kind = kinds_.of(*range);
    if (kind == Kind::kHidden) continue;
    // Rounding may make a range overlap its successor.
    const auto is_over = [&](const Open& one) {
      return one.end <= range->start || (one.end <= range->start + kRoundedTime && one.end < range->end);
    };
    while (!open.empty() && is_over(open.back())) close(range->start);
    if (open.size() == kDeepestStack) continue;
    const Nanoseconds end = open.empty() ? range->end : std::min(range->end, open.back().end);
    const uint32_t node = node_inside(open, kind, range->name);
    open.push_back({end, kind, range->name, node});
    add(range->start, kind == Kind::kOperator ? range->name : kNoName);
  }
  while (!open.empty()) close(INT64_MAX);
  NameId next = kNoName;
  for (size_t i = segments.size(); i-- > 0;) {
    segments[i].place.after = next;
    if (opened[i] != kNoName) next = opened[i];
  }
}

const std::vector<HostPlaces::Segment>& HostPlaces::segments(uint16_t thread) {
  if (segments_[thread].empty()) lay_out(thread);
  return segments_[thread];
}

// The last of several that start at once: the others have no length.
size_t HostPlaces::segment_at(const std::vector<Segment>& all, Nanoseconds time) {
  const auto after =
      std::upper_bound(all.begin(), all.end(), time, [](Nanoseconds at, const Segment& one) { return at < one.start; });
  return static_cast<size_t>(after - all.begin()) - 1;
}

}  // namespace tauprof
