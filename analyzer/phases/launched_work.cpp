#include "phases/launched_work.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace tauprof {
namespace {

bool is_point_to_point(const CollectiveCall& call) {
  return call.operation == log::Operation::kSend || call.operation == log::Operation::kReceive;
}

bool names_message(std::string_view range) { return range.starts_with("nccl:send") || range.starts_with("nccl:recv"); }

}  // namespace

LaunchedWork::LaunchedWork(const ProcessTrace& trace)
    : work(trace.calls.size(), Work::kNone),
      kernel(trace.calls.size(), kNoName),
      copy(trace.calls.size(), log::CopyKind::kUnknown),
      trace_(trace),
      is_message_(trace.collectives.size(), false),
      collective_(trace.calls.size(), kNoIndex) {
  find_messages();
  take_from_calls();
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans)
      if (span.call != kNoIndex) take(span);
  take_from_ranges();
}

log::Operation LaunchedWork::operation(uint32_t call) const {
  return collective_[call] == kNoIndex ? log::Operation::kUnknown : trace_.collectives[collective_[call]].operation;
}

// Sends and receives between neighbouring stages: alone, or in groups with one or two other ranks. Groups with more
// ranks, or with the rank itself, are an exchange among all.
void LaunchedWork::find_messages() {
  std::map<int64_t, std::set<int32_t>> peers;  // of each group; -1: the group also holds something else
  for (const CollectiveCall& call : trace_.collectives) {
    if (call.group == 0) continue;
    const auto communicator = trace_.communicators.find(call.communicator);
    const bool is_own = communicator != trace_.communicators.end() && communicator->second.rank == call.peer;
    peers[call.group].insert(is_point_to_point(call) && !is_own ? call.peer : -1);
  }
  for (size_t i = 0; i < trace_.collectives.size(); ++i) {
    const CollectiveCall& call = trace_.collectives[i];
    if (!is_point_to_point(call)) continue;
    const bool is_grouped = call.group != 0;
    is_message_[i] = !is_grouped || (peers[call.group].size() <= 2 && peers[call.group].count(-1) == 0);
  }
}

void LaunchedWork::take_from_calls() {
  const bool is_timed = std::any_of(trace_.devices.begin(), trace_.devices.end(),
                                    [](const DeviceTrace& device) { return device.is_timed(); });
  for (size_t i = 0; i < trace_.calls.size(); ++i) {
    const HostCall& call = trace_.calls[i];
    switch (call.call_class) {
      case CallClass::kKernel:
      case CallClass::kGemm:
        work[i] = Work::kKernel;
        break;
      case CallClass::kCopy:
      case CallClass::kBlockingCopy:
      case CallClass::kAwaitedCopy: {
        const bool fills = !is_timed && trace_.names[call.function].find("Memset") != std::string_view::npos;
        work[i] = fills ? Work::kFill : Work::kCopy;
        if (!is_timed) copy[i] = call.copy_kind;
        break;
      }
      case CallClass::kCollective:
      case CallClass::kGroupEnd:
        collective_[i] = call.collective;
        work[i] = call.collective == kNoIndex ? Work::kCollective : work_of(call.collective);
        break;
      default:
        break;
    }
  }
}

void LaunchedWork::take(const DeviceSpan& span) {
  Work& launched = work[span.call];
  const bool is_kernel = span.activity == log::ActivityKind::kKernel || span.activity == log::ActivityKind::kGraph;
  if (is_kernel) kernel[span.call] = span.name;
  if (span.collective != kNoIndex) {
    collective_[span.call] = span.collective;
    launched = work_of(span.collective);
  } else if (span.activity == log::ActivityKind::kMemcpy) {
    launched = Work::kCopy;
    copy[span.call] = span.copy_kind;
  } else if (span.activity == log::ActivityKind::kMemset) {
    launched = Work::kFill;
  } else if (launched == Work::kKernel && span.span_class == SpanClass::kComm) {
    launched = Work::kCollective;
  }
}

// Of collectives without a record.
void LaunchedWork::take_from_ranges() {
  std::vector<signed char> is_message(trace_.names.size(), -1);
  for (const HostRange& range : trace_.ranges) {
    signed char& known = is_message[range.name];
    if (known < 0) known = names_message(trace_.names[range.name]) ? 1 : 0;
    if (known == 0 || range.thread + 1u >= trace_.first_call.size()) continue;
    const auto end = trace_.calls.begin() + trace_.first_call[range.thread + 1];
    auto call = std::lower_bound(trace_.calls.begin() + trace_.first_call[range.thread], end, range.start,
                                 [](const HostCall& one, Nanoseconds start) { return one.start < start; });
    for (; call != end && call->start < range.end; ++call) {
      const auto index = static_cast<size_t>(call - trace_.calls.begin());
      if (work[index] == Work::kCollective && collective_[index] == kNoIndex) work[index] = Work::kMessage;
    }
  }
}

}  // namespace tauprof
