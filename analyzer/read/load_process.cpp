#include "read/load_process.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>

#include "read/call_class.h"
#include "read/gemm_table.h"
#include "read/host_call_columns.h"
#include "read/launch_join.h"
#include "read/log_reader.h"
#include "read/own_members.h"
#include "read/recorded_stacks.h"
#include "read/recorded_state.h"

namespace tauprof {
namespace {

using log::RecordKind;

std::string fixed_text(const char* bytes, size_t size) { return {bytes, std::find(bytes, bytes + size, '\0')}; }

// 0 where a dimension is not known, or is none that a launch can have.
float product_of(std::initializer_list<int64_t> dimensions) {
  float product = 1;
  for (const int64_t dimension : dimensions)
    product *= dimension > 0 && dimension <= INT32_MAX ? static_cast<float>(dimension) : 0;
  return std::isfinite(product) ? product : 0;
}

class Loader {
 public:
  Loader(ProcessTrace& trace, uint64_t file_bytes)
      // About the number in a log of this size: growing a vector of millions moves them all.
      : trace_(trace), state_(trace), stacks_(trace, state_), expected_spans_(file_bytes / 12) {
    trace_.calls.reserve(file_bytes / 10);
  }

  void take_header(const log::FileHeader& header);
  void take(const RecordBlock& block);
  void finish(const LogReader& reader);

 private:
  void take_calls(const RecordBlock& block);
  void take_gemms(const RecordBlock& block);
  void take_collectives(const RecordBlock& block);
  void take_activities(const RecordBlock& block);
  void take_ranges(const RecordBlock& block);
  void take_marks(const RecordBlock& block);
  void take_links(const RecordBlock& block);
  void take_gaps(const RecordBlock& block);
  void take_drops(const RecordBlock& block);
  void take_anchors(const RecordBlock& block);
  void take_telemetry(const RecordBlock& block);
  void take_step_marks(const RecordBlock& block);
  void take_seen_steps(const RecordBlock& block);

  size_t device(int64_t number);
  uint32_t stream(size_t device_index, int64_t context, int64_t number);
  void classify_calls();

  ProcessTrace& trace_;
  RecordedState state_;
  RecordedStacks stacks_;
  size_t expected_spans_;
  std::map<int64_t, size_t> devices_;
  std::vector<std::map<std::pair<int64_t, int64_t>, uint32_t>> streams_;  // per device: (context, stream) → index
  std::vector<LargeArray<uint64_t>> correlations_;                        // per device, beside its spans
  GemmTable gemms_;
  LaunchJoin::Links links_;
  LaunchJoin::Collectives kernel_collectives_;
  std::vector<std::pair<int64_t, uint64_t>> drops_;
  std::vector<std::pair<RecordingGap, int64_t>> gaps_;
};

void Loader::take_header(const log::FileHeader& header) {
  trace_.run_id = fixed_text(header.run_id, sizeof header.run_id);
  trace_.host = fixed_text(header.host, sizeof header.host);
  std::copy(std::begin(header.boot_id), std::end(header.boot_id), trace_.boot_id.begin());
  trace_.clock = static_cast<log::Clock>(header.clock);
  trace_.has_realtime = header.start_realtime_ns != 0;
  if (trace_.has_realtime) trace_.realtime_offset_ns = header.start_realtime_ns - header.start_time_ns;
}

size_t Loader::device(int64_t number) {
  const auto [found, is_new] = devices_.try_emplace(number, trace_.devices.size());
  if (is_new) {
    trace_.devices.emplace_back();
    trace_.devices.back().device = static_cast<int32_t>(number);
    streams_.emplace_back();
    correlations_.emplace_back();
    if (found->second == 0) {
      trace_.devices[0].spans.reserve(expected_spans_);
      correlations_[0].reserve(expected_spans_);
    }
  }
  return found->second;
}

uint32_t Loader::stream(size_t device_index, int64_t context, int64_t number) {
  auto& streams = trace_.devices[device_index].streams;
  const auto [found, is_new] =
      streams_[device_index].try_emplace({context, number}, static_cast<uint32_t>(streams.size()));
  if (is_new) streams.push_back({context, number, 0});
  return found->second;
}

void Loader::take(const RecordBlock& block) {
  if (block.kind() == RecordKind::kOpenCall) stacks_.place_open_calls(block);
  if (state_.take(block) || stacks_.take(block)) return;
  switch (block.kind()) {
    case RecordKind::kCall:
      return take_calls(block);
    case RecordKind::kGemm:
      return take_gemms(block);
    case RecordKind::kCollective:
      return take_collectives(block);
    case RecordKind::kDeviceActivity:
      return take_activities(block);
    case RecordKind::kRange:
      return take_ranges(block);
    case RecordKind::kMark:
      return take_marks(block);
    case RecordKind::kLink:
      return take_links(block);
    case RecordKind::kGap:
      return take_gaps(block);
    case RecordKind::kDrop:
      return take_drops(block);
    case RecordKind::kClockAnchor:
      return take_anchors(block);
    case RecordKind::kTelemetry:
      return take_telemetry(block);
    case RecordKind::kStepMark:
      return take_step_marks(block);
    case RecordKind::kSeenStep:
      return take_seen_steps(block);
    default:
      return;  // recorded for analyses that do not need the whole trace
  }
}

void Loader::take_calls(const RecordBlock& block) {
  const HostCallColumns<log::Call> columns(block);
  const Column argument = block.column(&log::Call::argument), dev = block.column(&log::Call::device);
  for (uint32_t row = 0; row < block.records(); ++row) {
    HostCall call = columns.call(row);
    call.thread = state_.thread(columns.thread(row));
    call.function = state_.name(columns.function(row));
    if (columns.stack(row) != 0) stacks_.place_call(call.thread, call.start, columns.stack(row));
    call.device = static_cast<int16_t>(dev[row]);
    call.is_input_copy = argument[row] == static_cast<int64_t>(log::CopyKind::kHostToDevice);
    trace_.calls.push_back(call);
  }
  trace_.quality.events += block.records();
}

void Loader::take_gemms(const RecordBlock& block) {
  const HostCallColumns<log::Gemm> columns(block);
  gemms_.take(block);
  for (uint32_t row = 0; row < block.records(); ++row) {
    HostCall call = columns.call(row);
    call.thread = state_.thread(columns.thread(row));
    call.function = state_.name(columns.function(row));
    if (columns.stack(row) != 0) stacks_.place_call(call.thread, call.start, columns.stack(row));
    call.call_class = CallClass::kGemm;
    trace_.calls.push_back(call);
  }
  trace_.quality.events += block.records();
}

void Loader::take_collectives(const RecordBlock& block) {
  const HostCallColumns<log::Collective> columns(block);
  const Column communicator = block.column(&log::Collective::communicator),
               sequence = block.column(&log::Collective::sequence),
               operation = block.column(&log::Collective::operation),
               datatype = block.column(&log::Collective::datatype), count = block.column(&log::Collective::count),
               bytes_out = block.column(&log::Collective::bytes_out), peer = block.column(&log::Collective::peer),
               group = block.column(&log::Collective::group), graph = block.column(&log::Collective::graph);
  const auto collective_of = [&](uint32_t row) {
    CollectiveCall collective;
    collective.communicator = communicator[row];
    collective.sequence = sequence[row];
    collective.count = count[row];
    collective.bytes_out = bytes_out[row];
    collective.group = group[row];
    collective.peer = static_cast<int32_t>(peer[row] - 1);
    collective.operation = static_cast<log::Operation>(operation[row]);
    collective.datatype = static_cast<log::DataType>(datatype[row]);
    return collective;
  };
  for (uint32_t row = 0; row < block.records(); ++row) {
    HostCall call = columns.call(row);
    const auto index = static_cast<uint32_t>(trace_.collectives.size());
    // What is captured into a graph is carried out by the graph's launches, which have rows of their own.
    const bool is_captured = graph[row] != 0 && sequence[row] == 0;
    if (!is_captured) {
      trace_.collectives.push_back(collective_of(row));
      trace_.collectives.back().stream = call.stream;
    }
    if (columns.thread(row) == 0) {  // an imported kernel's arguments: the host call was not recorded here
      kernel_collectives_.emplace_back(kernel_key(call.correlation, call.start), index);
      continue;
    }
    call.thread = state_.thread(columns.thread(row));
    call.function = state_.name(columns.function(row));
    if (columns.stack(row) != 0) stacks_.place_call(call.thread, call.start, columns.stack(row));
    if (!is_captured) {
      call.call_class = CallClass::kCollective;
      call.collective = index;
    }
    trace_.calls.push_back(call);
    ++trace_.quality.events;
  }
}

void Loader::take_activities(const RecordBlock& block) {
  using R = log::DeviceActivity;
  const Column activity = block.column(&R::activity), dev = block.column(&R::device),
               context = block.column(&R::context), number = block.column(&R::stream), text = block.column(&R::name),
               start = block.column(&R::start), duration = block.column(&R::duration),
               correlation = block.column(&R::correlation), bytes = block.column(&R::bytes),
               copy_kind = block.column(&R::copy_kind), grid_x = block.column(&R::grid_x),
               grid_y = block.column(&R::grid_y), grid_z = block.column(&R::grid_z),
               block_x = block.column(&R::block_x), block_y = block.column(&R::block_y),
               block_z = block.column(&R::block_z);
  size_t index = 0;
  uint32_t stream_index = 0;
  for (uint32_t row = 0; row < block.records(); ++row) {
    if (row == 0 || dev[row] != dev[row - 1]) index = device(dev[row]);
    if (row == 0 || dev[row] != dev[row - 1] || context[row] != context[row - 1] || number[row] != number[row - 1])
      stream_index = stream(index, context[row], number[row]);
    DeviceSpan span;
    span.start = start[row];
    span.end = end_of(start[row], duration[row]);
    span.bytes = bytes[row];
    span.name = state_.name(text[row]);
    span.stream = stream_index;
    span.threads = product_of({grid_x[row], grid_y[row], grid_z[row], block_x[row], block_y[row], block_z[row]});
    span.activity = static_cast<log::ActivityKind>(activity[row]);
    span.copy_kind = static_cast<log::CopyKind>(copy_kind[row]);
    trace_.devices[index].spans.push_back(span);
    correlations_[index].push_back(static_cast<uint64_t>(correlation[row]));
  }
  trace_.quality.events += block.records();
}

void Loader::take_ranges(const RecordBlock& block) {
  using R = log::Range;
  const Column where = block.column(&R::thread), text = block.column(&R::name), source = block.column(&R::source),
               domain = block.column(&R::domain), start = block.column(&R::start),
               duration = block.column(&R::duration);
  for (uint32_t row = 0; row < block.records(); ++row)
    trace_.ranges.push_back({start[row], end_of(start[row], duration[row]), state_.name(text[row]),
                             state_.name(domain[row]), state_.thread(where[row]),
                             static_cast<log::RangeSource>(source[row]), false});
}

void Loader::take_marks(const RecordBlock& block) {
  using R = log::Mark;
  const Column where = block.column(&R::thread), text = block.column(&R::name), source = block.column(&R::source),
               domain = block.column(&R::domain), time = block.column(&R::time);
  for (uint32_t row = 0; row < block.records(); ++row)
    trace_.ranges.push_back({time[row], time[row], state_.name(text[row]), state_.name(domain[row]),
                             state_.thread(where[row]), static_cast<log::RangeSource>(source[row]), true});
}

void Loader::take_links(const RecordBlock& block) {
  const Column correlation = block.column(&log::Link::correlation), owner = block.column(&log::Link::owner);
  for (uint32_t row = 0; row < block.records(); ++row)
    links_.emplace_back(static_cast<uint64_t>(correlation[row]), static_cast<uint64_t>(owner[row]));
}

void Loader::take_gaps(const RecordBlock& block) {
  using R = log::Gap;
  static constexpr const char* kScopes[] = {"unknown", "all", "host", "device", "collectives", "ranges"};
  const Column start = block.column(&R::start), duration = block.column(&R::duration), scope = block.column(&R::scope),
               reason = block.column(&R::reason);
  for (uint32_t row = 0; row < block.records(); ++row) {
    const auto which = static_cast<uint64_t>(scope[row]);
    RecordingGap gap{
        {start[row], end_of(start[row], duration[row])}, kScopes[which < std::size(kScopes) ? which : 0], ""};
    gaps_.emplace_back(std::move(gap), reason[row]);
  }
}

void Loader::take_drops(const RecordBlock& block) {
  const Column count = block.column(&log::Drop::count), reason = block.column(&log::Drop::reason);
  for (uint32_t row = 0; row < block.records(); ++row)
    drops_.emplace_back(reason[row], static_cast<uint64_t>(std::max<int64_t>(count[row], 0)));
}

void Loader::take_anchors(const RecordBlock& block) {
  using R = log::ClockAnchor;
  const Column clock = block.column(&R::clock), time = block.column(&R::time), value = block.column(&R::value);
  for (uint32_t row = 0; row < block.records(); ++row) {
    if (clock[row] != static_cast<int64_t>(log::Clock::kRealtime)) continue;
    trace_.realtime_offset_ns = value[row] - time[row];
    trace_.has_realtime = true;
  }
}

void Loader::take_step_marks(const RecordBlock& block) {
  const Column time = block.column(&log::StepMark::time), where = block.column(&log::StepMark::thread);
  for (uint32_t row = 0; row < block.records(); ++row)
    trace_.step_marks.push_back({time[row], state_.thread(where[row])});
}

void Loader::take_seen_steps(const RecordBlock& block) {
  using R = log::SeenStep;
  const Column time = block.column(&R::time), step = block.column(&R::step), extra = block.column(&R::extra);
  for (uint32_t row = 0; row < block.records(); ++row)
    if (const uint64_t most = uint64_t{1} << 62; static_cast<uint64_t>(time[row] | step[row] | extra[row]) < most)
      trace_.seen_steps.push_back({time[row], step[row], extra[row]});  // else it is damaged
}

void Loader::take_telemetry(const RecordBlock& block) {
  using R = log::Telemetry;
  const Column time = block.column(&R::time), dev = block.column(&R::device), metric = block.column(&R::metric),
               value = block.column(&R::value);
  for (uint32_t row = 0; row < block.records(); ++row)
    trace_.telemetry.push_back({time[row], value[row], state_.name(metric[row]), static_cast<int32_t>(dev[row])});
}

void Loader::classify_calls() {
  std::vector<CallClass> classes(trace_.names.size());
  for (NameId id = 0; id < classes.size(); ++id) classes[id] = call_class_of(trace_.names[id]);
  for (HostCall& call : trace_.calls)
    if (call.call_class == CallClass::kOther) call.call_class = classes[call.function];
}

void Loader::finish(const LogReader& reader) {
  const LogLoss& loss = reader.loss();
  trace_.quality.bytes = reader.file_bytes();
  trace_.quality.lost_records = loss.lost_records;
  trace_.quality.lost_bytes = loss.lost_bytes;
  trace_.quality.damaged_regions = loss.regions.size();
  trace_.quality.is_cut_short = loss.is_cut_short;
  state_.finish();
  place_own_members(trace_);
  stacks_.finish();
  for (const auto& [reason, count] : drops_) trace_.quality.dropped[state_.text(reason)] += count;
  for (auto& [gap, reason] : gaps_) {
    gap.reason = state_.text(reason);
    trace_.quality.gaps.push_back(std::move(gap));
  }
  std::stable_sort(trace_.step_marks.begin(), trace_.step_marks.end(),
                   [](const StepMark& a, const StepMark& b) { return a.time < b.time; });
  std::stable_sort(trace_.seen_steps.begin(), trace_.seen_steps.end(),
                   [](const SeenStep& a, const SeenStep& b) { return a.number < b.number; });
  classify_calls();
  const LaunchJoin launches(trace_, links_, std::move(kernel_collectives_));
  trace_.gemms = gemms_.by_call(trace_.calls);
  if (trace_.devices.empty() && !trace_.calls.empty()) device(0);  // recorded without device times
  for (size_t i = 0; i < trace_.devices.size(); ++i) {
    launches.join(trace_.devices[i], correlations_[i]);
    correlations_[i] = {};
    for (const DeviceSpan& span : trace_.devices[i].spans) {
      if (span.call == kNoIndex) continue;
      trace_.calls[span.call].device = static_cast<int16_t>(trace_.devices[i].device);
      if (span.copy_kind == log::CopyKind::kHostToDevice) trace_.calls[span.call].is_input_copy = true;
    }
    sort_spans(trace_.devices[i].spans);
  }
  std::stable_sort(trace_.ranges.begin(), trace_.ranges.end(), [](const HostRange& a, const HostRange& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
}

}  // namespace

Status load_process(const std::string& path, ProcessTrace& trace) {
  std::unique_ptr<LogReader> reader;
  if (Status status = LogReader::open(path, reader); !status.is_ok()) return status;
  trace.file = path;
  Loader loader(trace, reader->file_bytes());
  loader.take_header(reader->header());
  RecordBlock block;
  while (reader->next(block)) loader.take(block);
  loader.finish(*reader);
  return Status::ok();
}

}  // namespace tauprof
