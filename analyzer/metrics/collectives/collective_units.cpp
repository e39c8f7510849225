#include "metrics/collectives/collective_units.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "classify/kernel_rules.h"
#include "limits/analysis_limits.h"
#include "metrics/collectives/collective_of_calls.h"

namespace tauprof {
namespace {

using log::Operation;

// Annotations that frameworks put around launches of collectives, by thread and start.
class CollectiveAnnotations {
 public:
  explicit CollectiveAnnotations(const ProcessTrace& trace) : by_thread_(trace.threads.size()) {
    std::vector<std::optional<Operation>> of_name(trace.names.size());
    for (const HostRange& range : trace.ranges) {
      std::optional<Operation>& operation = of_name[range.name];
      if (!operation) {
        const std::string_view name = trace.names[range.name];
        const bool is_annotation = name.starts_with("nccl:") || name.starts_with("c10d::");
        operation = is_annotation ? operation_of_kernel(name) : Operation::kUnknown;
      }
      if (*operation != Operation::kUnknown) by_thread_[range.thread].push_back({{range.start, range.end}, *operation});
    }
  }
  // The innermost annotation around `time` on `thread`.
  Operation at(uint16_t thread, Nanoseconds time) const {
    const auto& entries = by_thread_[thread];
    auto entry = std::upper_bound(entries.begin(), entries.end(), time,
                                  [](Nanoseconds value, const Entry& e) { return value < e.time.start; });
    for (int depth = 0; depth < kNestedAnnotations && entry != entries.begin(); ++depth)
      if ((--entry)->time.end > time) return entry->operation;
    return Operation::kUnknown;
  }

 private:
  struct Entry {
    Interval time;
    Operation operation;
  };
  std::vector<std::vector<Entry>> by_thread_;
};

class UnitBuilder {
 public:
  UnitBuilder(const ProcessTrace& trace, const DeviceTrace& device)
      : trace_(trace),
        device_(device),
        annotations_(trace),
        numbers_(trace),
        unit_of_call_(trace.collectives.size(), kNoIndex) {
    for (uint32_t i = 0; i < trace.collectives.size(); ++i)
      if (trace.collectives[i].group != 0)
        calls_of_group_[{trace.collectives[i].group, trace.collectives[i].communicator}].push_back(i);
  }

  CollectiveUnits build() {
    result_.unit_of_span.assign(device_.spans.size(), kNoIndex);
    for (uint32_t i = 0; i < device_.spans.size(); ++i) {
      const DeviceSpan& span = device_.spans[i];
      if (span.span_class == SpanClass::kComm && span.end > span.start) add_span(i, span);
    }
    for (RankCollective& unit : result_.units)
      if (!is_exchange_of_neighbours(unit, with_one_way_)) recognise_all_to_all(unit);
    return std::move(result_);
  }

 private:
  using Group = std::pair<int64_t, int64_t>;  // group, communicator

  void add_span(uint32_t i, const DeviceSpan& span) {
    const uint32_t index = span.collective == kNoIndex ? unit_without_call(span) : unit_with_call(span);
    RankCollective& unit = result_.units[index];
    if (unit.operation == Operation::kUnknown) unit.operation = operation_of_kernel(trace_.names[span.name]);
    if (!unit.has_identity && unit.communicator == 0)
      unit.communicator = channels_.try_emplace(span.stream, channels_.size() + 1).first->second;
    unit.end = std::max(unit.end, span.end);
    result_.unit_of_span[i] = index;
  }

  uint32_t unit_without_call(const DeviceSpan& span) {
    const uint32_t index = new_unit(span);
    if (span.call != kNoIndex) {
      const HostCall& launch = trace_.calls[span.call];
      RankCollective& unit = result_.units[index];
      unit.operation = annotations_.at(launch.thread, launch.start);
      if (const AnnotatedCollective* const inputs = inputs_at(launch)) set_size(unit, *inputs);
    }
    return index;
  }

  // The collective's inputs by the innermost annotation around its launch.
  const AnnotatedCollective* inputs_at(const HostCall& launch) const {
    const auto& all = trace_.annotated_collectives;
    auto entry = std::upper_bound(all.begin(), all.end(), launch, [](const HostCall& call, const auto& one) {
      return call.thread != one.thread ? call.thread < one.thread : call.start < one.start;
    });
    for (int depth = 0; depth < kNestedAnnotations && entry != all.begin(); ++depth) {
      --entry;
      if (entry->thread == launch.thread && entry->end > launch.start) return &*entry;
    }
    return nullptr;
  }

  // The inputs of an all-to-all may differ between ranks, so that their size is no count.
  void set_size(RankCollective& unit, const AnnotatedCollective& inputs) const {
    unit.datatype = inputs.datatype;
    switch (unit.operation) {
      case Operation::kAllReduce:
      case Operation::kAllGather:
      case Operation::kBroadcast:
      case Operation::kReduce:
      case Operation::kGather:
        unit.count = inputs.elements;
        break;
      case Operation::kReduceScatter:
        if (trace_.world_size > 0 && inputs.elements % trace_.world_size == 0)
          unit.count = inputs.elements / trace_.world_size;
        break;
      default:
        break;
    }
  }

  uint32_t unit_with_call(const DeviceSpan& span) {
    const CollectiveCall& call = trace_.collectives[span.collective];
    const Group group{call.group, call.communicator};
    uint32_t& known =
        call.group != 0 ? unit_of_group_.try_emplace(group, kNoIndex).first->second : unit_of_call_[span.collective];
    if (known != kNoIndex) return known;
    known = new_unit(span);
    RankCollective& unit = result_.units[known];
    if (call.group == 0)
      add_call(unit, span.collective, trace_, numbers_, true);
    else
      for (const uint32_t member : calls_of_group_[group])
        add_call(unit, member, trace_, numbers_, member == calls_of_group_[group].front());
    if (unit.is_one_way() && unit.has_identity) with_one_way_.insert(unit.communicator);
    return known;
  }

  uint32_t new_unit(const DeviceSpan& span) {
    RankCollective unit;
    unit.start = span.start;
    unit.end = span.end;
    unit.phase = span.phase;
    result_.units.push_back(std::move(unit));
    // The call that launched the kernel; for a group, its ncclGroupEnd.
    result_.launch_call.push_back(span.call);
    if (span.call != kNoIndex) set_launch(result_.units.back(), trace_.calls[span.call]);
    return static_cast<uint32_t>(result_.units.size() - 1);
  }

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  const CollectiveAnnotations annotations_;
  const MessageNumbers numbers_;
  CollectiveUnits result_;
  std::map<Group, std::vector<uint32_t>> calls_of_group_;
  std::map<Group, uint32_t> unit_of_group_;
  std::vector<uint32_t> unit_of_call_;     // of calls without a group
  std::set<uint64_t> with_one_way_;        // communicators on which some unit only sends or only receives
  std::map<uint32_t, uint64_t> channels_;  // streams by first use stand for communicators that are not known
};

}  // namespace

CollectiveUnits collective_units(const ProcessTrace& trace, const DeviceTrace& device) {
  return UnitBuilder(trace, device).build();
}

}  // namespace tauprof
