#include "read/load_process.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "limits/analysis_limits.h"
#include "read/fixed_text.h"
#include "read/log_reader.h"
#include "read/own_members.h"
#include "read/possible_times.h"
#include "read/record_names.h"
#include "read/record_rows.h"
#include "read/recorded_calls.h"
#include "read/recorded_operations.h"
#include "read/recorded_ranges.h"
#include "read/recorded_spans.h"
#include "read/recorded_stacks.h"
#include "read/recorded_state.h"

namespace tauprof {
namespace {

// Hands every block to those who read its kind; reads clocks, sensors and losses itself.
class Loader {
 public:
  Loader(ProcessTrace& trace, uint64_t file_bytes)
      : trace_(trace),
        state_(trace),
        stacks_(trace, state_),
        calls_(trace, state_, stacks_, file_bytes / 10),
        spans_(trace, state_, file_bytes / 12),
        ranges_(trace, state_),
        operations_(trace, state_) {}

  void take_header(const log::FileHeader& header);
  void take(const RecordBlock& block);
  void finish(const LogReader& reader, const LoadOptions& options);

 private:
  void add(const log::ClockAnchor& row);
  void add(const log::Telemetry& row);
  void add(const log::Memory& row);
  void add(const log::CopyBandwidth& row);
  void add(const log::ChannelPhases& row);
  void add(const log::Drop& row);
  void add(const log::Gap& row);
  void add(const log::End& row) { recorded_.end = state_.claims().time(row.time); }
  void fill_quality(const LogReader& reader);

  ProcessTrace& trace_;
  RecordedState state_;
  RecordedStacks stacks_;
  RecordedCalls calls_;
  RecordedSpans spans_;
  RecordedRanges ranges_;
  RecordedOperations operations_;
  Interval recorded_{kEarliestTime, kLatestTime};
  std::vector<std::pair<int64_t, uint64_t>> drops_;     // (reason, count)
  std::vector<std::pair<RecordingGap, int64_t>> gaps_;  // (gap, reason)
};

void Loader::take_header(const log::FileHeader& header) {
  trace_.run_id = fixed_text(header.run_id);
  trace_.host = fixed_text(header.host);
  std::copy(std::begin(header.boot_id), std::end(header.boot_id), trace_.boot_id.begin());
  trace_.process_id = header.pid;
  trace_.clock = static_cast<log::Clock>(header.clock);
  trace_.has_realtime = header.start_realtime_ns != 0;
  Claims& claims = state_.claims();
  recorded_.start = claims.time(header.start_time_ns);
  if (trace_.has_realtime)
    trace_.realtime_offset_ns = claims.time(header.start_realtime_ns) - claims.time(header.start_time_ns);
}

void Loader::take(const RecordBlock& block) {
  stacks_.take(block);
  state_.take(block);
  calls_.take(block);
  spans_.take(block);
  ranges_.take(block);
  operations_.take(block);
  for_rows_of<log::ClockAnchor, log::Telemetry, log::Memory, log::CopyBandwidth, log::ChannelPhases, log::Drop,
              log::Gap, log::End>(block, [this](const auto& row) { add(row); });
}

void Loader::add(const log::ClockAnchor& row) {
  if (row.clock != static_cast<int64_t>(log::Clock::kRealtime)) return;
  trace_.realtime_offset_ns = state_.claims().time(row.value) - state_.claims().time(row.time);
  trace_.has_realtime = true;
}

void Loader::add(const log::Telemetry& row) {
  trace_.telemetry.push_back(
      {state_.claims().time(row.time), row.value, state_.name(row.metric), static_cast<int32_t>(row.device)});
}

void Loader::add(const log::Memory& row) {
  if (row.address == 0) return;
  trace_.memory.push_back({state_.claims().time(row.time), row.address, state_.claims().memory(row.bytes),
                           static_cast<int32_t>(row.device), state_.thread(row.thread),
                           static_cast<log::MemoryAction>(row.action)});
}

void Loader::add(const log::CopyBandwidth& row) {
  const auto gb_per_s = std::bit_cast<double>(row.bits);
  if (!std::isfinite(gb_per_s) || gb_per_s < 0) return;
  trace_.bandwidths.push_back({static_cast<uint64_t>(row.correlation), state_.claims().time(row.start), gb_per_s});
}

void Loader::add(const log::ChannelPhases& row) {
  Claims& claims = state_.claims();
  if (std::min({row.timer, row.opening, row.work, row.closing}) < 0) return;
  const Interval opening = claims.span(row.timer, row.opening), work = claims.span(opening.end, row.work),
                 closing = claims.span(work.end, row.closing);
  trace_.kernel_phases.push_back({row.communicator, row.sequence, opening.start, opening.end, closing.end});
}

// Those of one collective become one.
void join_channels(std::vector<KernelPhases>& channels) {
  const auto key = [](const KernelPhases& one) { return std::pair(one.communicator, one.sequence); };
  std::sort(channels.begin(), channels.end(),
            [&](const KernelPhases& a, const KernelPhases& b) { return key(a) < key(b); });
  size_t kept = 0;
  for (size_t i = 0; i < channels.size(); ++i) {
    if (i == 0 || key(channels[kept - 1]) != key(channels[i])) {
      channels[kept++] = channels[i];
      continue;
    }
    KernelPhases& kernel = channels[kept - 1];
    kernel.start = std::min(kernel.start, channels[i].start);
    kernel.opened = std::min(kernel.opened, channels[i].opened);
    kernel.end = std::max(kernel.end, channels[i].end);
  }
  channels.resize(kept);
}

void Loader::add(const log::Drop& row) {
  const auto count = static_cast<uint64_t>(std::max<int64_t>(row.count, 0));
  drops_.emplace_back(row.reason, count);
  if (row.kind == static_cast<int64_t>(log::RecordKind::kDeviceActivity)) trace_.quality.dropped_device_work += count;
}

void Loader::add(const log::Gap& row) {
  if (gaps_.size() == kMostGaps) {
    state_.claims().ignore("gap at", row.start, 0);
    return;
  }
  const std::string_view scope = gap_scope_name(row.scope);
  RecordingGap gap{state_.claims().span(row.start, row.duration), std::string(scope.empty() ? "unknown" : scope), ""};
  gaps_.emplace_back(std::move(gap), row.reason);
}

void Loader::fill_quality(const LogReader& reader) {
  const LogLoss& loss = reader.loss();
  RecordingQuality& quality = trace_.quality;
  quality.bytes = reader.file_bytes();
  quality.lost_records = loss.lost_records;
  quality.lost_bytes = loss.lost_bytes;
  quality.damaged_regions = loss.regions.size();
  quality.is_cut_short = loss.is_cut_short;
  for (const auto& [reason, count] : drops_) quality.dropped[state_.text(reason)] += count;
  for (auto& [gap, reason] : gaps_) {
    gap.reason = state_.label(reason);
    quality.gaps.push_back(std::move(gap));
  }
}

void Loader::finish(const LogReader& reader, const LoadOptions& options) {
  PossibleTimes times(trace_, recorded_);
  times.judge_host();
  calls_.classify();
  spans_.find_devices_of_calls();
  state_.finish();
  assign_member_ranks(trace_);
  stacks_.finish();
  std::stable_sort(trace_.memory.begin(), trace_.memory.end(),
                   [](const MemoryEvent& a, const MemoryEvent& b) { return a.time < b.time; });
  std::stable_sort(trace_.bandwidths.begin(), trace_.bandwidths.end(),
                   [](const CopyBandwidth& a, const CopyBandwidth& b) { return a.start < b.start; });
  join_channels(trace_.kernel_phases);
  ranges_.finish(options.keeps_order);
  operations_.finish();
  spans_.finish(calls_.finish(options.keeps_order), times, options.keeps_order);
  fill_quality(reader);
  trace_.quality.implausible_values = state_.claims().take();
}

}  // namespace

Status load_process(const std::string& path, ProcessTrace& trace, const LoadOptions& options) {
  std::unique_ptr<LogReader> reader;
  if (Status status = LogReader::open(path, reader); !status.is_ok()) return status;
  trace.file = path;
  Loader loader(trace, reader->file_bytes());
  loader.take_header(reader->header());
  RecordBlock block;
  uint64_t counted = 0;
  while (reader->next(block)) {
    loader.take(block);
    if (options.read_bytes) *options.read_bytes += reader->offset() - counted, counted = reader->offset();
  }
  if (options.read_bytes) *options.read_bytes += reader->file_bytes() - std::min(counted, reader->file_bytes());
  loader.finish(*reader, options);
  return Status::ok();
}

}  // namespace tauprof
