#include "read/launch_join.h"

#include <algorithm>
#include <set>
#include <vector>

#include "limits/analysis_limits.h"
#include "model/sort_by_key.h"
#include "read/overlapping_calls.h"
#include "read/recorded_order.h"

namespace tauprof {

void sort_calls(ProcessTrace& trace, bool keeps_order) {
  RecordedOrder order(keeps_order ? trace.calls.size() : 0);
  const size_t threads = trace.threads.size();
  std::vector<uint32_t> first(threads + 1, 0);
  for (const HostCall& call : trace.calls) ++first[call.thread + 1];
  for (size_t thread = 0; thread < threads; ++thread) first[thread + 1] += first[thread];
  const auto by_thread_already = [](const HostCall& a, const HostCall& b) { return a.thread < b.thread; };
  if (!std::is_sorted(trace.calls.begin(), trace.calls.end(), by_thread_already)) {
    std::vector<HostCall> by_thread(trace.calls.size());
    std::vector<uint32_t> next = first;
    for (size_t i = 0; i < trace.calls.size(); ++i) {
      const uint32_t place = next[trace.calls[i].thread]++;
      by_thread[place] = trace.calls[i];
      if (keeps_order) order.positions()[place] = static_cast<uint32_t>(i);
    }
    trace.calls.swap(by_thread);
  }
  const auto key = [](const HostCall& call) { return std::pair(call.start, -call.end); };
  for (size_t thread = 0; thread < threads; ++thread)
    sort_by_key(trace.calls.data() + first[thread], trace.calls.data() + first[thread + 1], key,
                keeps_order ? order.positions() + first[thread] : nullptr);
  trace.first_call = std::move(first);
  trace.call_order = order.take();
}

void sort_spans(DeviceTrace& device, bool keeps_order) {
  RecordedOrder order(keeps_order ? device.spans.size() : 0);
  sort_by_key(
      device.spans.data(), device.spans.data() + device.spans.size(), [](const DeviceSpan& span) { return span.start; },
      keeps_order ? order.positions() : nullptr);
  device.span_order = order.take();
}

namespace {

CorrelationIndex index_calls(const ProcessTrace& trace) {
  std::vector<std::pair<uint64_t, uint32_t>> entries;
  entries.reserve(trace.calls.size());
  for (uint32_t i = 0; i < trace.calls.size(); ++i) entries.emplace_back(trace.calls[i].correlation, i);
  return CorrelationIndex(std::move(entries));
}

}  // namespace

LaunchJoin::LaunchJoin(ProcessTrace& trace, const Links& links, Collectives kernel_collectives, bool keeps_order)
    : trace_(trace), kernel_collectives_(std::move(kernel_collectives)) {
  sort_calls(trace_, keeps_order);
  part_overlapping_calls(trace_);
  for (uint32_t i = 0; i < trace_.calls.size(); ++i)
    if (trace_.calls[i].collective != kNoIndex) trace_.collectives[trace_.calls[i].collective].call = i;
  find_outer_calls();
  calls_ = index_calls(trace_);
  std::vector<std::pair<uint64_t, uint32_t>> owners;
  for (const auto& [correlation, owner] : links)
    if (const uint32_t call = calls_.find(owner); call != kNoIndex) owners.emplace_back(correlation, call);
  owners_ = CorrelationIndex(std::move(owners));
  index_groups();
  index_graphs();
}

void LaunchJoin::find_outer_calls() {
  std::vector<uint32_t> open;
  for (size_t thread = 0; thread < trace_.threads.size(); ++thread) {
    open.clear();
    for (uint32_t i = trace_.first_call[thread]; i < trace_.first_call[thread + 1]; ++i) {
      HostCall& call = trace_.calls[i];
      while (!open.empty() && trace_.calls[open.back()].end <= call.start) open.pop_back();
      if (!open.empty() && open.size() <= kDeepestCalls && call.end <= trace_.calls[open.back()].end)
        call.outer = open.back();
      open.push_back(i);
    }
  }
}

// A group is one kernel for each communicator, so its first call on each stands for all.
void LaunchJoin::index_graphs() {
  std::set<std::pair<int64_t, int64_t>> known;  // (group, communicator)
  for (const HostCall& call : trace_.calls) {
    const bool is_replayed = call.collective != kNoIndex && call.outer != kNoIndex &&
                             trace_.calls[call.outer].call_class == CallClass::kKernel;
    if (!is_replayed) continue;
    const CollectiveCall& collective = trace_.collectives[call.collective];
    if (collective.group == 0 || known.emplace(collective.group, collective.communicator).second)
      graph_collectives_[call.outer].push_back(call.collective);
  }
}

void LaunchJoin::index_groups() {
  for (uint32_t i = 0; i < trace_.collectives.size(); ++i)
    if (trace_.collectives[i].group != 0) group_collectives_[trace_.collectives[i].group].push_back(i);
  if (group_collectives_.empty()) return;
  for (size_t thread = 0; thread < trace_.threads.size(); ++thread) {
    int64_t group = 0;
    for (uint32_t i = trace_.first_call[thread]; i < trace_.first_call[thread + 1]; ++i) {
      const HostCall& call = trace_.calls[i];
      if (call.collective != kNoIndex && trace_.collectives[call.collective].group != 0)
        group = trace_.collectives[call.collective].group;
      if (call.call_class != CallClass::kGroupEnd || group == 0) continue;
      group_of_end_[i] = group;  // nested groups: only the outermost end launches anything
    }
  }
}

// NCCL launches one kernel per communicator for all calls of a group, one after the other. So the n-th kernel on a
// stream belongs to the n-th communicator among the group's calls on that stream. The default stream is a different one
// on each device, so its kernels belong to the first call on that device.
uint32_t LaunchJoin::collective_in_group(uint32_t group_end, const DeviceSpan& span, const DeviceTrace& device,
                                         JoinState& state) const {
  const auto group = group_of_end_.find(group_end);
  if (group == group_of_end_.end()) return kNoIndex;
  const uint32_t kernel = state.kernels[{group_end, span.stream}]++;
  const auto [known, is_new] = state.on_streams.try_emplace({group->second, span.stream});
  if (is_new) known->second = group_on_stream(group->second, device, span.stream);
  const std::vector<uint32_t>& firsts = known->second.firsts;
  return firsts.empty() ? known->second.first_on_device : firsts[std::min<size_t>(kernel, firsts.size() - 1)];
}

LaunchJoin::GroupOnStream LaunchJoin::group_on_stream(int64_t group, const DeviceTrace& device, uint32_t stream) const {
  GroupOnStream found;
  const int64_t handle = device.streams[stream].handle;
  std::set<int64_t> communicators;
  for (const uint32_t member : group_collectives_.at(group)) {
    const CollectiveCall& call = trace_.collectives[member];
    const auto known = trace_.communicators.find(call.communicator);
    if (known != trace_.communicators.end() && !device.has(known->second)) continue;
    if (found.first_on_device == kNoIndex) found.first_on_device = member;
    if (handle != 0 && call.stream == handle && communicators.insert(call.communicator).second)
      found.firsts.push_back(member);
  }
  return found;
}

// The nodes of a graph that depend on each other run in the order in which they were captured.
uint32_t LaunchJoin::collective_in_graph(uint32_t launch, const DeviceSpan& span, JoinState& state) const {
  const auto replayed = graph_collectives_.find(launch);
  if (replayed == graph_collectives_.end()) return kNoIndex;
  if (trace_.names[span.name].find("nccl") == std::string_view::npos) return kNoIndex;
  // Kernels in the bodies of conditional nodes are between those that were captured.
  if (const GraphContents* const graph = trace_.graph_of(launch); graph != nullptr && graph->conditional != 0)
    return kNoIndex;
  const uint32_t kernel = state.kernels[{launch, 0}]++;
  return kernel < replayed->second.size() ? replayed->second[kernel] : kNoIndex;
}

uint32_t LaunchJoin::collective_of(const DeviceSpan& span, uint64_t correlation, const DeviceTrace& device,
                                   JoinState& state) const {
  if (const uint32_t known = kernel_collectives_.find(kernel_key(correlation, span.start)); known != kNoIndex)
    return known;
  if (span.activity != log::ActivityKind::kKernel && span.activity != log::ActivityKind::kMemcpy) return kNoIndex;
  uint32_t call = owners_.find(correlation);
  if (call == kNoIndex) call = span.call;
  for (; call != kNoIndex; call = trace_.calls[call].outer) {
    if (trace_.calls[call].collective != kNoIndex) return trace_.calls[call].collective;
    if (const uint32_t replayed = collective_in_graph(call, span, state); replayed != kNoIndex) return replayed;
    if (trace_.calls[call].call_class == CallClass::kGroupEnd) return collective_in_group(call, span, device, state);
  }
  return kNoIndex;
}

void LaunchJoin::join(DeviceTrace& device, const std::vector<uint64_t>& correlations) const {
  const bool has_collectives = !trace_.collectives.empty();
  JoinState state;
  for (size_t i = 0; i < device.spans.size(); ++i) {
    DeviceSpan& span = device.spans[i];
    span.call = calls_.find(correlations[i]);
    if (span.call == kNoIndex) span.call = owners_.find(correlations[i]);
    if (has_collectives) span.collective = collective_of(span, correlations[i], device, state);
  }
}

}  // namespace tauprof
