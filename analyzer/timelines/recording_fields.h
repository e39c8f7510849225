// The fields of what a timeline knows of its recording: which log it is, how far the rank had come, what is missing
// (timeline_fields.h says what these lists are).
#pragma once

#include <cstdint>
#include <iterator>

#include "model/reduced_log.h"

namespace tauprof {

// The largest value of an enumeration.
constexpr uint64_t last_of(Phase) { return kPhaseCount - 1; }
constexpr uint64_t last_of(LedgerRow) { return kLedgerRowCount - 1; }
constexpr uint64_t last_of(SpanClass) { return static_cast<uint64_t>(SpanClass::kNotWork); }
constexpr uint64_t last_of(CallClass) { return static_cast<uint64_t>(CallClass::kAllocation); }
constexpr uint64_t last_of(PathKind) { return kPathKindNames.size() - 1; }
constexpr uint64_t last_of(Precision) { return kPrecisionCount - 1; }
constexpr uint64_t last_of(MatrixKernel) { return kMatrixKernelNames.size() - 1; }
constexpr uint64_t last_of(StepOrigin) { return static_cast<uint64_t>(StepOrigin::kNone); }
constexpr uint64_t last_of(CollectiveAlgorithm) { return std::size(kAlgorithmNames) - 1; }
constexpr uint64_t last_of(log::Operation) { return static_cast<uint64_t>(log::Operation::kBarrier); }
constexpr uint64_t last_of(log::DataType) { return static_cast<uint64_t>(log::DataType::kFloat4); }
constexpr uint64_t last_of(log::ProductForm) { return static_cast<uint64_t>(log::ProductForm::kAttentionBackward); }
constexpr uint64_t last_of(log::Clock) { return static_cast<uint64_t>(log::Clock::kDevice); }

template <class Visitor>
void fields(Visitor& v, Interval& time) {
  v("start", time.start);
  v.since("end", time.end, time.start);
}

template <class Visitor>
void fields(Visitor& v, LogFacts& log) {
  v("path", log.path);
  v("given", log.given);
  v("absolute_path", log.absolute_path);
  v("host", log.host);
  v("bytes", log.bytes);
  v("modified", log.modified);
  v("run_id", log.run_id);
  v("started", log.started);
  v("ranks", log.ranks);
  v("world_size", log.world_size);
  v("is_bystander", log.is_bystander);
  v("events", log.events);
  v("active_from", log.active_from);
  v("active_until", log.active_until);
}

template <class Visitor>
void fields(Visitor& v, UnmetWish& wish) {
  v("what", wish.what);
  v("instead", wish.instead);
}

template <class Visitor>
void fields(Visitor& v, CalledCollective& call) {
  v("sequence", call.sequence);
  v("count", call.count);
  v("called", call.called);
  v("peer", call.peer);
  v("operation", call.operation);
  v("datatype", call.datatype);
  v("group", call.group);
  v("source_line", call.source_line);
}

template <class Visitor>
void fields(Visitor& v, CalledMessage& message) {
  v("communicator", message.communicator);
  v("number", message.number);
  v("call", message.call);
}

template <class Visitor>
void fields(Visitor& v, MessageCalls& calls) {
  v("communicator", calls.communicator);
  v("peer", calls.peer);
  v("is_send", calls.is_send);
  v("called", calls.called);
  v("recent", calls.recent);
}

template <class Visitor>
void fields(Visitor& v, CommunicatorProgress& progress) {
  v("identity", progress.identity);
  v("size", progress.size);
  v("rank", progress.rank);
  v("name", progress.name);
  v("entered", progress.entered);
  v("completed", progress.completed);
  v("met", progress.met);
  v("met_at", progress.met_at);
  v("recent", progress.recent);
}

template <class Visitor>
void fields(Visitor& v, RankProgress& progress) {
  v("is_closed", progress.is_closed);
  v("has_device_times", progress.has_device_times);
  v("has_all_calls", progress.has_all_calls);
  v("last_sign", progress.last_sign);
  v("device_until", progress.device_until);
  v("call", progress.call);
  v("is_in_call", progress.is_in_call);
  v("since", progress.since);
  v("thread", progress.thread);
  v("source_line", progress.source_line);
  v("phase", progress.phase);
  v("step", progress.step);
  v("communicators", progress.communicators);
  v("messages", progress.messages);
  v("message_calls", progress.message_calls);
}

template <class Visitor>
void fields(Visitor& v, RecorderCost& cost) {
  v("is_known", cost.is_known);
  v("has_parts", cost.has_parts);
  v("is_without_cupti", cost.is_without_cupti);
  v("start_and_calls", cost.start_and_calls);
  v("events", cost.events);
  v("cupti", cost.cupti);
  v("stacks", cost.stacks);
  v("end", cost.end);
}

template <class Visitor>
void fields(Visitor& v, RecordingGap& gap) {
  v("time", gap.time);
  v("scope", gap.scope);
  v("reason", gap.reason);
}

template <class Visitor>
void fields(Visitor& v, ImplausibleValue& value) {
  v("what", value.what);
  v("value", value.value);
  v("count", value.count);
}

template <class Visitor>
void fields(Visitor& v, MovedDevice& moved) {
  v("device", moved.device);
  v("by", moved.by);
}

template <class Visitor>
void fields(Visitor& v, RecordingQuality& quality) {
  v("events", quality.events);
  v("bytes", quality.bytes);
  v("lost_records", quality.lost_records);
  v("lost_bytes", quality.lost_bytes);
  v("damaged_regions", quality.damaged_regions);
  v("is_cut_short", quality.is_cut_short);
  v("dropped", quality.dropped);
  v("impossible", quality.impossible);
  v("dropped_device_work", quality.dropped_device_work);
  v("cost", quality.cost);
  v("gaps", quality.gaps);
  v("implausible_values", quality.implausible_values);
  v("moved_devices", quality.moved_devices);
}

}  // namespace tauprof
