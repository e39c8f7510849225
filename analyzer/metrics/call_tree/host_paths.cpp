#include "metrics/call_tree/host_paths.h"

#include <string_view>
#include <tuple>

#include "limits/analysis_limits.h"
#include "model/framework_mark.h"
#include "model/profiler_step.h"
#include "steps/launching_threads.h"

namespace tauprof {
namespace {

constexpr std::string_view kBackward = "backward";
constexpr std::string_view kEngine = "autograd::engine::evaluate_function: ";

PathKind path_kind(RangeKind kind) {
  switch (kind) {
    case RangeKind::kModule:
      return PathKind::kModule;
    case RangeKind::kFunction:
      return PathKind::kLine;
    case RangeKind::kOperator:
      return PathKind::kOperator;
    default:
      return PathKind::kRange;
  }
}

}  // namespace

// Forward operators are laid out before the backward passes that refer to them.
HostPaths::HostPaths(const ProcessTrace& trace, PathTree& tree)
    : trace_(trace),
      tree_(tree),
      kinds_(trace),
      forward_(trace),
      segments_(std::max<size_t>(trace.threads.size(), 1)),  // a log without threads has a main one
      node_of_autograd_(trace.autograd_operators.size(), kNoIndex),
      names_(trace.names.size(), kNoIndex) {
  const std::vector<LaunchingThread> launching = launching_threads(trace);
  const auto launches_backward = [&](size_t thread) {
    return thread < launching.size() && launching[thread].is_backward;
  };
  for (const bool is_backward : {false, true})
    for (size_t thread = 0; thread < segments_.size(); ++thread)
      if (launches_backward(thread) == is_backward) lay_out(static_cast<uint16_t>(thread), is_backward);
}

uint32_t HostPaths::name_of(NameId id) {
  if (names_[id] == kNoIndex) names_[id] = tree_.name(shown_range(trace_.names[id]));
  return names_[id];
}

// Ranges and marks of a thread, the outer first.
std::vector<HostPaths::Entry> HostPaths::entries_of(uint16_t thread) {
  const auto of_thread = [&](const auto& all) {
    const auto by_thread = [](const auto& one, uint32_t number) { return one.thread < number; };
    return std::pair(std::lower_bound(all.begin(), all.end(), uint32_t{thread}, by_thread),
                     std::lower_bound(all.begin(), all.end(), uint32_t{thread} + 1, by_thread));
  };
  const auto [ranges, ranges_end] = of_thread(trace_.ranges);
  const auto [marks, marks_end] = of_thread(trace_.marks);
  auto [autograd, autograd_end] = of_thread(trace_.autograd_operators);
  std::vector<Entry> entries;
  for (auto range = ranges; range != ranges_end; ++range) {
    const RangeKind kind = kinds_.of(*range);
    const std::string_view name = trace_.names[range->name];
    if (kind == RangeKind::kHidden || is_profiler_step(name)) continue;
    Entry entry{range->start, range->end, kind, name_of(range->name), kNoIndex, false};
    if (kind == RangeKind::kOperator) {
      while (autograd != autograd_end &&
             (autograd->start < range->start || (autograd->start == range->start && autograd->end > range->end)))
        ++autograd;
      if (autograd != autograd_end && autograd->start == range->start && autograd->end == range->end)
        entry.autograd = static_cast<uint32_t>(autograd++ - trace_.autograd_operators.begin());
      entry.is_engine = name.starts_with(kEngine);
    }
    entries.push_back(entry);
  }
  const auto of_ranges = static_cast<std::ptrdiff_t>(entries.size());
  for (auto mark = marks; mark != marks_end; ++mark)
    if (mark->end > mark->start)
      entries.push_back({mark->start, mark->end, RangeKind::kRange,
                         tree_.name(kMarkNames[static_cast<size_t>(mark->kind)]), kNoIndex, false});
  std::inplace_merge(entries.begin(), entries.begin() + of_ranges, entries.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.start, -a.end) < std::tuple(b.start, -b.end);
  });
  return entries;
}

void HostPaths::lay_out(uint16_t thread, bool is_backward) {
  const Open outside{INT64_MAX, is_backward ? tree_.child(0, PathKind::kPass, tree_.name(kBackward)) : 0, is_backward,
                     -1};
  std::vector<Segment>& segments = segments_[thread];
  segments.push_back({INT64_MIN, outside.node});
  std::vector<Open> open{outside};
  const auto add = [&](Nanoseconds time) {
    if (segments.back().start == time)
      segments.back().node = open.back().node;
    else if (segments.back().node != open.back().node)
      segments.push_back({time, open.back().node});
  };
  const auto close = [&](Nanoseconds latest) {
    const Nanoseconds end = std::min(open.back().end, latest);
    open.pop_back();
    add(end);
  };
  for (const Entry& entry : entries_of(thread)) {
    // Rounding may make a range overlap its successor.
    const auto is_over = [&](const Open& one) {
      return one.end <= entry.start || (one.end <= entry.start + kRoundedTime && one.end < entry.end);
    };
    while (open.size() > 1 && is_over(open.back())) close(entry.start);
    if (open.size() > kDeepestStack) continue;
    open.push_back(opened(entry, open.back()));
    add(entry.start);
  }
  while (open.size() > 1) close(INT64_MAX);
}

HostPaths::Open HostPaths::opened(const Entry& entry, const Open& around) {
  Open open = around;
  open.end = std::min(entry.end, around.end);
  const AutogradOperator* const autograd =
      entry.autograd == kNoIndex ? nullptr : &trace_.autograd_operators[entry.autograd];
  const bool has_forward = autograd != nullptr && autograd->forward_thread != 0;
  const bool is_known = around.is_backward && has_forward && autograd->sequence == around.sequence;
  if ((has_forward || entry.is_engine) && !is_known) {
    const uint32_t forward = has_forward ? forward_.of(*autograd) : kNoIndex;
    const bool is_found = forward != kNoIndex && node_of_autograd_[forward] != kNoIndex;
    if (is_found || !around.is_backward)
      open.node = tree_.child(is_found ? place_of(node_of_autograd_[forward]) : around.node, PathKind::kPass,
                              tree_.name(kBackward));
    open.is_backward = true;
    open.sequence = has_forward ? autograd->sequence : -1;
  }
  open.node = tree_.child(open.node, path_kind(entry.kind), entry.name);
  if (entry.autograd != kNoIndex) node_of_autograd_[entry.autograd] = open.node;
  return open;
}

// A module that is met again, as where a backward pass computes it once more, is the same place.
uint32_t HostPaths::place_of(uint32_t node) {
  if (const auto known = places_.find(node); known != places_.end()) return known->second;
  std::vector<uint32_t> around;  // the innermost first
  for (uint32_t at = node; at != 0; at = tree_.nodes()[at].parent) {
    const PathKind kind = tree_.nodes()[at].kind;
    if (kind == PathKind::kModule || kind == PathKind::kLine) around.push_back(at);
  }
  uint32_t place = 0;
  std::vector<uint32_t> passed;  // nodes of the place
  for (; !around.empty(); around.pop_back()) {
    const PathNode one = tree_.nodes()[around.back()];
    const auto same = std::find_if(passed.begin(), passed.end(), [&](uint32_t at) {
      return one.kind == PathKind::kModule && tree_.nodes()[at].kind == PathKind::kModule &&
             tree_.nodes()[at].name == one.name;
    });
    if (same != passed.end()) {
      passed.erase(same + 1, passed.end());
      place = *same;
      continue;
    }
    place = tree_.child(place, one.kind, one.name);
    passed.push_back(place);
  }
  return places_[node] = place;
}

// The last of several that start at once.
size_t HostPaths::segment_at(const std::vector<Segment>& all, Nanoseconds time) {
  const auto after =
      std::upper_bound(all.begin(), all.end(), time, [](Nanoseconds at, const Segment& one) { return at < one.start; });
  return static_cast<size_t>(after - all.begin()) - 1;
}

}  // namespace tauprof
