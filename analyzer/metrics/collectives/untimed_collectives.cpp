#include "metrics/collectives/untimed_collectives.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "metrics/collectives/collective_of_calls.h"

namespace tauprof {
namespace {

// The calls that launched the groups: the outermost ncclGroupEnd of each.
std::map<int64_t, uint32_t> ends_of_groups(const ProcessTrace& trace) {
  std::map<int64_t, uint32_t> ends;
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    int64_t group = 0;
    int depth = 0;
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) {
      const HostCall& call = trace.calls[i];
      if (call.collective != kNoIndex) {
        group = trace.collectives[call.collective].group;
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
  UntimedCollectives(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& steps)
      : trace_(trace),
        device_(device),
        numbers_(trace),
        ends_(ends_of_groups(trace)),
        step_of_host_(trace.steps.size(), kNoStep) {
    for (size_t i = 0; i < steps.size(); ++i) step_of_host_[steps[i].host_step] = static_cast<int32_t>(i);
  }

  std::vector<RankCollective> find() {
    for (uint32_t i = 0; i < trace_.collectives.size(); ++i)
      if (is_of_device(trace_.collectives[i])) take(i);
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
    const auto end = ends_.find(call.group);
    uint32_t launch = end != ends_.end() ? end->second : call.call;
    if (launch == kNoIndex) return;
    // The replay of a graph launches the collectives that were captured.
    const uint32_t outer = trace_.calls[launch].outer;
    if (outer != kNoIndex && trace_.calls[outer].call_class == CallClass::kKernel) launch = outer;
    set_launch(unit, trace_.calls[launch]);
    if (const int32_t step = trace_.calls[launch].step; step != kNoStep) unit.step = step_of_host_[step];
  }

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  const MessageNumbers numbers_;
  const std::map<int64_t, uint32_t> ends_;
  std::vector<int32_t> step_of_host_;                       // index into the rank's steps
  std::map<std::pair<int64_t, int64_t>, size_t> of_group_;  // unit, by group and communicator
  std::set<uint64_t> with_one_way_;
  std::vector<RankCollective> units_;
};

}  // namespace

std::vector<RankCollective> untimed_collectives(const ProcessTrace& trace, const DeviceTrace& device,
                                                const std::vector<StepWindow>& steps) {
  return UntimedCollectives(trace, device, steps).find();
}

}  // namespace tauprof
