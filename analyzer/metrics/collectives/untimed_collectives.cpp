#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "metrics/collectives/collective_of_calls.h"
#include "metrics/collectives/collective_units.h"

namespace tauprof {
namespace {

// The launch of the graph that repeated the collective; kNoIndex: it was called by itself.
uint32_t launch_of_graph(const ProcessTrace& trace, const CollectiveCall& call) {
  const uint32_t outer = call.call == kNoIndex ? kNoIndex : trace.calls[call.call].outer;
  return outer != kNoIndex && trace.calls[outer].call_class == CallClass::kKernel ? outer : kNoIndex;
}

// The calls that launched the groups: the outermost ncclGroupEnd of each.
std::map<int64_t, uint32_t> ends_of_groups(const ProcessTrace& trace) {
  std::map<int64_t, uint32_t> ends;
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    int64_t group = 0;
    int depth = 0;
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) {
      const HostCall& call = trace.calls[i];
      if (call.collective != kNoIndex) {
        const CollectiveCall& collective = trace.collectives[call.collective];
        if (launch_of_graph(trace, collective) == kNoIndex) group = collective.group;
      } else if (trace.names[call.function].ends_with("ncclGroupStart")) {
        ++depth;
      } else if (call.call_class == CallClass::kGroupEnd) {
        depth = std::max(0, depth - 1);
        if (depth == 0 && group != 0) ends.try_emplace(std::exchange(group, 0), i);
      }
    }
  }
  return ends;
}

class UntimedCollectives {
 public:
  UntimedCollectives(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& steps,
                     bool is_timed)
      : trace_(trace),
        device_(device),
        windows_(steps),
        is_timed_(is_timed),
        numbers_(trace),
        ends_(ends_of_groups(trace)),
        step_of_host_(trace.steps.size(), kNoStep) {
    for (size_t i = 0; i < steps.size(); ++i) step_of_host_[steps[i].host_step] = static_cast<int32_t>(i);
    for (const DeviceSpan& span : device.spans)
      if (span.activity == log::ActivityKind::kGraph && span.call != kNoIndex)
        graph_starts_.try_emplace(span.call, span.start);
  }

  std::vector<RankCollective> find() {
    if (is_timed_ && graph_starts_.empty()) return {};
    for (uint32_t i = 0; i < trace_.collectives.size(); ++i)
      if (is_untimed(trace_.collectives[i]) && is_of_device(trace_.collectives[i])) take(i);
    for (const RankCollective& unit : units_)
      if (unit.is_one_way() && unit.has_identity) with_one_way_.insert(unit.communicator);
    std::erase_if(units_, [](const RankCollective& unit) { return unit.communicator_size == 1; });
    for (RankCollective& unit : units_)
      if (!is_exchange_of_neighbours(unit, with_one_way_)) recognise_all_to_all(unit);
    std::stable_sort(units_.begin(), units_.end(),
                     [](const RankCollective& a, const RankCollective& b) { return a.launch_start < b.launch_start; });
    return std::move(units_);
  }

 private:
  bool is_untimed(const CollectiveCall& call) const {
    return !is_timed_ || graph_starts_.contains(launch_of_graph(trace_, call));
  }

  bool is_of_device(const CollectiveCall& call) const {
    if (trace_.devices.size() < 2) return true;
    const auto known = trace_.communicators.find(call.communicator);
    if (known != trace_.communicators.end() && known->second.device >= 0) return device_.has(known->second);
    return call.call == kNoIndex || trace_.calls[call.call].device == device_.device;
  }

  void take(uint32_t index) {
    const CollectiveCall& call = trace_.collectives[index];
    size_t at = units_.size();
    if (call.group != 0) at = of_group_.try_emplace({call.group, call.communicator}, at).first->second;
    const bool is_first = at == units_.size();
    if (is_first) {
      units_.emplace_back();
      launch(units_.back(), call);
    }
    add_call(units_[at], index, trace_, numbers_, is_first);
  }

  void launch(RankCollective& unit, const CollectiveCall& call) const {
    unit.step = kNoStep;
    uint32_t launch = launch_of_graph(trace_, call);
    if (const auto end = ends_.find(call.group); launch == kNoIndex && end != ends_.end()) launch = end->second;
    if (launch == kNoIndex) launch = call.call;
    if (launch == kNoIndex) return;
    set_launch(unit, trace_.calls[launch]);
    if (const auto start = graph_starts_.find(launch); start != graph_starts_.end())
      unit.step = window_at(start->second);
    else if (const int32_t step = trace_.calls[launch].step; step != kNoStep)
      unit.step = step_of_host_[step];
  }

  int32_t window_at(Nanoseconds time) const {
    const auto after =
        std::upper_bound(windows_.begin(), windows_.end(), time,
                         [](Nanoseconds at, const StepWindow& window) { return at < window.device->start; });
    if (after == windows_.begin() || time >= std::prev(after)->device->end) return kNoStep;
    return static_cast<int32_t>(std::prev(after) - windows_.begin());
  }

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  const std::vector<StepWindow>& windows_;
  const bool is_timed_;
  const MessageNumbers numbers_;
  const std::map<int64_t, uint32_t> ends_;
  std::vector<int32_t> step_of_host_;                       // index into the rank's steps
  std::unordered_map<uint32_t, Nanoseconds> graph_starts_;  // of graphs' spans on the device, by launch
  std::map<std::pair<int64_t, int64_t>, size_t> of_group_;  // unit, by group and communicator
  std::set<uint64_t> with_one_way_;
  std::vector<RankCollective> units_;
};

}  // namespace

std::vector<RankCollective> untimed_collectives(const ProcessTrace& trace, const DeviceTrace& device,
                                                const std::vector<StepWindow>& steps, bool is_timed) {
  return UntimedCollectives(trace, device, steps, is_timed).find();
}

}  // namespace tauprof
