#include "read/recorded_calls.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/release.h"
#include "read/call_class.h"
#include "read/record_rows.h"

namespace tauprof {
namespace {

CollectiveCall collective_of(const log::Collective& row, RecordedState& state) {
  CollectiveCall collective;
  collective.communicator = row.communicator;
  collective.sequence = row.sequence;
  collective.count = row.count;
  collective.bytes_out = row.bytes_out;
  collective.group = row.group;
  collective.stream = row.stream;
  collective.peer = static_cast<int32_t>(row.peer - 1);
  collective.operation = static_cast<log::Operation>(row.operation);
  collective.datatype = static_cast<log::DataType>(row.datatype);
  if (row.algorithm != 0) collective.algorithm = state.name(row.algorithm);
  return collective;
}

}  // namespace

RecordedCalls::RecordedCalls(ProcessTrace& trace, RecordedState& state, RecordedStacks& stacks, size_t expected)
    : trace_(trace), state_(state), stacks_(stacks) {
  trace_.calls.reserve(expected);
}

void RecordedCalls::take(const RecordBlock& block) {
  for_rows_of<log::Call, log::Gemm, log::OperatorWork, log::Collective, log::Link, log::GraphContent>(
      block, [this](const auto& row) { add(row); });
}

// The columns that all kinds of calls share.
template <class Row>
HostCall RecordedCalls::host_call(const Row& row) {
  HostCall call;
  const Interval time = state_.claims().span(row.start, row.duration);
  call.start = time.start;
  call.end = time.end;
  call.correlation = static_cast<uint64_t>(row.correlation);
  call.stream = row.stream;
  call.thread = state_.thread(row.thread);
  read_cpu_clock(call.thread, call.start, row.thread_cpu_ns);
  read_cpu_clock(call.thread, call.end, row.end_cpu_ns);
  call.function = state_.name(row.function);
  if (row.stack != 0) stacks_.add_call(call.thread, call.start, row.stack);
  ++trace_.quality.events;
  return call;
}

void RecordedCalls::read_cpu_clock(uint16_t thread, Nanoseconds time, int64_t cpu) {
  const Nanoseconds read = state_.claims().cpu_time(cpu);
  if (read != 0) trace_.cpu_readings.push_back({time, read, thread});
}

void RecordedCalls::add(const log::Call& row) {
  HostCall call = host_call(row);
  call.device = static_cast<int16_t>(row.device);
  call.is_input_copy = row.argument == static_cast<int64_t>(log::CopyKind::kHostToDevice);
  if (row.argument > 0 && row.argument <= static_cast<int64_t>(log::CopyKind::kPeerToPeer))
    call.copy_kind = static_cast<log::CopyKind>(row.argument);
  if (row.graph != 0) graphs_.add_launch(call.correlation, row.graph);
  if (row.object != 0) events_.push_back({call.thread, call.start, row.object});
  trace_.calls.push_back(call);
}

void RecordedCalls::add(const log::Gemm& row) {
  HostCall call = host_call(row);
  call.call_class = CallClass::kGemm;
  trace_.calls.push_back(call);
  gemms_.add(row, call.function);
}

void RecordedCalls::add(const log::OperatorWork& row) {
  gemms_.add(row, state_.claims().span(row.start, row.duration), state_.thread(row.thread), state_.name(row.name));
}

void RecordedCalls::add(const log::Collective& row) {
  const auto index = static_cast<uint32_t>(trace_.collectives.size());
  // A call captured into a graph is carried out by the graph's launches, which have rows of their own.
  const bool is_captured = row.graph != 0 && row.sequence == 0;
  if (!is_captured) trace_.collectives.push_back(collective_of(row, state_));
  if (row.thread == 0) {  // the arguments of an imported kernel: its host call has no row here
    kernel_collectives_.emplace_back(kernel_key(static_cast<uint64_t>(row.correlation), row.start), index);
    return;
  }
  HostCall call = host_call(row);
  if (!is_captured) {
    call.call_class = CallClass::kCollective;
    call.collective = index;
  }
  trace_.calls.push_back(call);
}

void RecordedCalls::add(const log::Link& row) {
  links_.emplace_back(static_cast<uint64_t>(row.correlation), static_cast<uint64_t>(row.owner));
}

void RecordedCalls::classify() {
  std::vector<CallClass> classes(trace_.names.size());
  for (NameId id = 0; id < classes.size(); ++id) classes[id] = call_class_of(trace_.names[id]);
  for (HostCall& call : trace_.calls) {
    if (call.call_class == CallClass::kOther) call.call_class = classes[call.function];
    const bool copies = is_copy(call.call_class);
    if (!copies) call.copy_kind = log::CopyKind::kUnknown;
  }
}

LaunchJoin RecordedCalls::finish(bool keeps_order) {
  LaunchJoin launches(trace_, links_, std::move(kernel_collectives_), keeps_order);
  graphs_.finish(trace_, state_, gemms_);
  gemms_.finish(trace_);
  find_event_uses();
  std::sort(trace_.cpu_readings.begin(), trace_.cpu_readings.end(), [](const CpuReading& a, const CpuReading& b) {
    return std::tie(a.thread, a.time) < std::tie(b.thread, b.time);
  });
  return launches;
}

// The calls are in their final order. Objects of other calls are graphs.
void RecordedCalls::find_event_uses() {
  std::vector<signed char> is_event_call(trace_.names.size(), -1);
  for (const EventRow& row : events_) {
    const auto begin = trace_.calls.begin() + trace_.first_call[row.thread],
               end = trace_.calls.begin() + trace_.first_call[row.thread + 1];
    const auto call = std::lower_bound(begin, end, row.start,
                                       [](const HostCall& one, Nanoseconds start) { return one.start < start; });
    if (call == end || call->start != row.start) continue;
    if (is_event_call[call->function] < 0)
      is_event_call[call->function] = trace_.names[call->function].find("Event") != std::string_view::npos;
    if (is_event_call[call->function] > 0)
      trace_.event_uses.push_back({static_cast<uint32_t>(call - trace_.calls.begin()), row.event});
  }
  release(events_);
  std::sort(trace_.event_uses.begin(), trace_.event_uses.end(),
            [](const EventUse& a, const EventUse& b) { return a.call < b.call; });
}

}  // namespace tauprof
