#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classify/optimizer_kernels.h"
#include "model/process_trace.h"
#include "steps/capture_times.h"
#include "steps/launch_sequence.h"
#include "steps/launching_threads.h"

namespace tauprof {
namespace {

// When each thread of a process was in an optimizer's step, by the ranges that PyTorch puts around it
// ("Optimizer.step#AdamW.step").
class UpdateRanges {
 public:
  explicit UpdateRanges(const ProcessTrace& trace);
  bool has(uint16_t thread, Nanoseconds time) const;

 private:
  std::vector<std::vector<Interval>> of_thread_;  // by start; the ends are the latest so far
};

constexpr std::string_view kOptimizerStep = "Optimizer.step";

UpdateRanges::UpdateRanges(const ProcessTrace& trace) : of_thread_(trace.threads.size()) {
  for (const HostRange& range : trace.ranges)
    if (trace.names[range.name].starts_with(kOptimizerStep))
      of_thread_[range.thread].push_back({range.start, range.end});
  for (std::vector<Interval>& ranges : of_thread_) {
    std::sort(ranges.begin(), ranges.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
    for (size_t i = 1; i < ranges.size(); ++i) ranges[i].end = std::max(ranges[i].end, ranges[i - 1].end);
  }
}

bool UpdateRanges::has(uint16_t thread, Nanoseconds time) const {
  const std::vector<Interval>& ranges = of_thread_[thread];
  const auto behind = std::upper_bound(ranges.begin(), ranges.end(), time,
                                       [](Nanoseconds at, const Interval& range) { return at < range.start; });
  return behind != ranges.begin() && time < std::prev(behind)->end;
}

const DeviceTrace* busiest_device(const ProcessTrace& trace) {
  const auto busiest =
      std::max_element(trace.devices.begin(), trace.devices.end(),
                       [](const DeviceTrace& a, const DeviceTrace& b) { return a.spans.size() < b.spans.size(); });
  return busiest == trace.devices.end() ? nullptr : &*busiest;
}

class SequenceBuilder {
 public:
  SequenceBuilder(const ProcessTrace& trace, const DeviceTrace* device)
      : trace_(trace),
        device_(device),
        threads_(launching_threads(trace)),
        captures_(trace),
        update_ranges_(trace),
        span_of_call_(trace.calls.size(), kNoIndex),
        holds_update_(trace.calls.size(), false) {
    if (device_ == nullptr) return;
    for (uint32_t i = 0; i < device_->spans.size(); ++i) {
      const DeviceSpan& span = device_->spans[i];
      if (span.call == kNoIndex || span.span_class == SpanClass::kNotWork) continue;
      uint32_t call = span.call;
      while (trace_.calls[call].outer != kNoIndex) call = trace_.calls[call].outer;
      if (span_of_call_[call] == kNoIndex) span_of_call_[call] = i;
      // A graph with node records is a call with many kernels.
      const bool is_kernel = span.activity == log::ActivityKind::kKernel;
      if (is_kernel && role_of(span.name) == UpdateRole::kUpdate) holds_update_[call] = true;
    }
  }

  LaunchSequence build() {
    LaunchSequence sequence;
    const bool has_several = trace_.devices.size() > 1;
    for (uint32_t i = 0; i < trace_.calls.size(); ++i) {
      const HostCall& call = trace_.calls[i];
      if (call.outer != kNoIndex || !threads_[call.thread].launches) continue;
      const bool is_sync = call.call_class == CallClass::kSync;
      if (!launches_work(call.call_class) && !is_sync && span_of_call_[i] == kNoIndex) continue;
      if (!is_sync && is_captured(i)) continue;
      if (has_several && device_ != nullptr && call.device != device_->device) continue;
      sequence.launches.push_back(launch(i));
      sequence.has_backward_thread |= sequence.launches.back().is_backward;
    }
    std::stable_sort(sequence.launches.begin(), sequence.launches.end(),
                     [](const Launch& a, const Launch& b) { return a.start < b.start; });
    sequence.symbols = static_cast<uint32_t>(symbols_.size());
    return sequence;
  }

 private:
  // Whether the call only added work to a graph. That work ran when the graph was launched.
  bool is_captured(uint32_t index) const {
    const HostCall& call = trace_.calls[index];
    return span_of_call_[index] == kNoIndex && captures_.has(call.start) && !launches_graph(call.function);
  }

  Launch launch(uint32_t index) {
    const HostCall& call = trace_.calls[index];
    const DeviceSpan* const span = span_of_call_[index] == kNoIndex ? nullptr : &device_->spans[span_of_call_[index]];
    Launch launch;
    launch.start = call.start;
    launch.end = call.end;
    launch.kind = kind_of(call, span);
    launch.is_backward = threads_[call.thread].is_backward;
    const bool is_kernel = launch.kind == LaunchKind::kKernel && span != nullptr;
    if (is_kernel) {
      const bool is_update = holds_update_[index] || update_ranges_.has(call.thread, call.start);
      launch.role = is_update ? UpdateRole::kUpdate : role_of(span->name);
      launch.is_graph = span->activity == log::ActivityKind::kGraph || launches_graph(call.function);
      if (launch.role == UpdateRole::kClearing) launch.kind = LaunchKind::kFill;
    }
    launch.symbol = symbol(launch.kind, launch.is_backward, is_kernel ? span->name : what(call));
    return launch;
  }

  static LaunchKind kind_of(const HostCall& call, const DeviceSpan* span) {
    if (call.call_class == CallClass::kSync) return LaunchKind::kSync;
    if (call.call_class == CallClass::kCollective || call.call_class == CallClass::kGroupEnd)
      return LaunchKind::kCollective;
    if (span == nullptr) {
      if (call.is_input_copy) return LaunchKind::kInputCopy;
      if (call.copy_kind == log::CopyKind::kDeviceToHost) return LaunchKind::kReadback;
      const bool copies = is_copy(call.call_class);
      return copies ? LaunchKind::kMove : LaunchKind::kKernel;
    }
    if (span->span_class == SpanClass::kComm) return LaunchKind::kCollective;
    if (span->activity == log::ActivityKind::kMemset) return LaunchKind::kFill;
    if (span->activity != log::ActivityKind::kMemcpy) return LaunchKind::kKernel;
    if (span->copy_kind == log::CopyKind::kHostToDevice) return LaunchKind::kInputCopy;
    return span->copy_kind == log::CopyKind::kDeviceToHost ? LaunchKind::kReadback : LaunchKind::kMove;
  }

  // Identifies a launch that is no kernel: by a collective's operation, else by the called function.
  uint64_t what(const HostCall& call) const {
    if (call.collective == kNoIndex) return call.function;
    const CollectiveCall& collective = trace_.collectives[call.collective];
    return uint64_t{1} << 40 | static_cast<uint64_t>(collective.communicator & 0xFFFFFF) << 8 |
           static_cast<uint64_t>(collective.operation);
  }

  UpdateRole role_of(NameId name) {
    if (roles_.empty()) roles_.resize(trace_.names.size());
    if (!roles_[name]) roles_[name] = update_role(trace_.names[name]);
    return *roles_[name];
  }

  bool launches_graph(NameId function) const {
    return trace_.names[function].find("GraphLaunch") != std::string_view::npos;
  }

  uint32_t symbol(LaunchKind kind, bool is_backward, uint64_t what) {
    const uint64_t key = static_cast<uint64_t>(kind) << 60 | static_cast<uint64_t>(is_backward) << 56 | what;
    return symbols_.try_emplace(key, static_cast<uint32_t>(symbols_.size())).first->second;
  }

  const ProcessTrace& trace_;
  const DeviceTrace* device_;
  const std::vector<LaunchingThread> threads_;
  const CaptureTimes captures_;
  const UpdateRanges update_ranges_;
  std::vector<uint32_t> span_of_call_;            // each outermost call's first span
  std::vector<bool> holds_update_;                // for each outermost call: one of its kernels is an optimizer's
  std::vector<std::optional<UpdateRole>> roles_;  // by name; nullopt: not looked up yet
  std::unordered_map<uint64_t, uint32_t> symbols_;
};

}  // namespace

LaunchSequence launch_sequence(const ProcessTrace& trace) {
  return SequenceBuilder(trace, busiest_device(trace)).build();
}

}  // namespace tauprof
