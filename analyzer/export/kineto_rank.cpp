#include "export/kineto_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

#include "export/event_names.h"
#include "export/kineto_collectives.h"
#include "export/located_events.h"
#include "metrics/kernels/kernel_totals.h"

namespace tauprof::kineto_export {
namespace {

// Threads and processes whose number is not known have the largest that readers take.
constexpr int64_t kLargestNumber = std::numeric_limits<int32_t>::max();

// The category of a call, by whose function it is: of the driver ("cuLaunchKernel"), or of a library above it.
std::string_view category_of(std::string_view function) {
  const bool is_driver = function.size() > 2 && function.starts_with("cu") && std::isupper(function[2]) != 0;
  return is_driver ? R"("cuda_driver")" : R"("cuda_runtime")";
}

std::string_view category_of(log::ActivityKind activity) {
  switch (activity) {
    case log::ActivityKind::kMemcpy:
      return R"("gpu_memcpy")";
    case log::ActivityKind::kMemset:
      return R"("gpu_memset")";
    case log::ActivityKind::kSynchronization:
      return R"("cuda_sync")";
    default:
      return R"("kernel")";
  }
}

std::string_view category_of(log::RangeSource source) {
  switch (source) {
    case log::RangeSource::kOperator:
      return R"("cpu_op")";
    case log::RangeSource::kPython:
      return R"("python_function")";
    case log::RangeSource::kProfiler:
      return R"("overhead")";
    default:
      return R"("user_annotation")";
  }
}

// Which row is the one at `position` as recorded. Readers order what starts in one microsecond by its place in the
// file.
uint32_t in_order(const std::vector<uint32_t>& order, uint32_t position) {
  return order.empty() ? position : order[position];
}

// A trace that was imported keeps its times. The clocks of recorded ranks are shifted to the run's, each by one amount,
// so that all lengths stay what they are.
Nanoseconds shift_of(const RankTimeline& rank) {
  if (rank.source == "kineto") return 0;
  const Nanoseconds start = rank.steps.empty() ? 0 : rank.steps.front().host.start;
  return rank.run_clock.to_run(start) - start;
}

}  // namespace

RankTrace::RankTrace(const RunView& run, const RankView& rank, const Members& members, EventFile& file)
    : run_(run),
      rank_(rank),
      trace_(rank.trace),
      members_(members),
      file_(file),
      calls_(rank),
      shift_(shift_of(rank.timeline)),
      process_(kLargestNumber - rank.index),
      names_(rank.trace.names) {
  const RankTimeline& clock = rank.timeline.source == "kineto" ? rank.timeline : run.ranks.front();
  if (clock.has_realtime) base_time_ = clock.realtime_offset_ns;
  for (const HostThread& one : trace_.threads)
    if (one.is_main && one.os_id > 0) process_ = one.os_id;
  if (trace_.process_id > 0 && trace_.process_id <= kLargestNumber) process_ = trace_.process_id;
  for (const HostCall& call : trace_.calls)
    if (call.correlation <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max() / 2))
      largest_correlation_ = std::max(largest_correlation_, static_cast<int64_t>(call.correlation));
}

void RankTrace::write() {
  write_head();
  write_ranges();
  if (!has_profiler_steps()) write_steps();
  write_spans();
  write_calls();
  write_metadata();
}

int64_t RankTrace::thread(size_t index) const {
  const int64_t number = trace_.threads[index].os_id;
  return number != 0 ? number : kLargestNumber - static_cast<int64_t>(run_.ranks.size() + index);
}

// Readers find a kernel's launch by this number, so work without one gets one that nothing else has.
int64_t RankTrace::correlation_of(uint32_t call) const {
  const auto recorded = static_cast<int64_t>(trace_.calls[call].correlation);
  return recorded != 0 || !calls_.launches(call) ? recorded : largest_correlation_ + 1 + call;
}

void RankTrace::write_head() {
  const RankTimeline& rank = rank_.timeline;
  file_.add_member("schemaVersion", "1");
  file_.add_member("deviceProperties",
                   fmt::format(R"([{{"id": {}, "name": {}}}])", rank.device, json_text(rank.device_name)));
  std::string groups;
  for (const auto& [key, communicator] : trace_.communicators)
    if (const std::string ranks = rank_list(communicator, members_); !ranks.empty())
      groups += fmt::format(R"({}{{"pg_name": {}, "pg_size": {}, "ranks": {}}})", groups.empty() ? "" : ", ",
                            json_text(name_of(communicator)), communicator.size, ranks);
  const int32_t world = std::max({run_.report.facts.world_size, rank.world_size, run_.report.facts.ranks});
  const auto nccl = rank.versions.find("nccl");
  const std::string version =
      nccl == rank.versions.end() ? "" : fmt::format(R"(, "nccl_version": {})", json_text(nccl->second));
  file_.add_member("distributedInfo",
                   fmt::format(R"({{"backend": "nccl", "rank": {}, "world_size": {}, "pg_config": [{}]{}}})", rank.rank,
                               world, groups, version));
  if (base_time_ != 0) file_.add_member("baseTimeNanoseconds", fmt::format("{}", base_time_));
  file_.add_member("displayTimeUnit", R"("ms")");
}

// At the end, as PyTorch writes it: HTA takes work without a launch for launched by the first event of the file.
void RankTrace::write_metadata() {
  const RankTimeline& rank = rank_.timeline;
  file_.add_metadata("process_name", process_, 0, json_text(fmt::format("rank {}", rank.rank)));
  file_.add_metadata("process_labels", process_, 0, R"("CPU")");
  file_.add_metadata("process_name", rank.device, 0, json_text(fmt::format("rank {}", rank.rank)));
  file_.add_metadata("process_labels", rank.device, 0, json_text(fmt::format("GPU {}", rank.device)));
  for (size_t i = 0; i < trace_.threads.size(); ++i) {
    const std::string_view name = trace_.names[trace_.threads[i].name];
    if (!name.empty())
      file_.add_metadata("thread_name", process_, thread(i), json_text(fmt::format("thread {} ({})", thread(i), name)));
  }
  for (const DeviceStream& stream : rank_.device.streams)
    file_.add_metadata("thread_name", rank_.device.device_of(stream), stream.number,
                       json_text(fmt::format("stream {}", stream.number)));
}

void RankTrace::write_ranges() {
  for (uint32_t i = 0; i < trace_.ranges.size(); ++i) {
    const HostRange& range = trace_.ranges[in_order(trace_.range_order, i)];
    if (!rank_.shows(range.start, range.is_mark ? range.start : range.end) || is_step_left_out(range)) continue;
    const int64_t tid = thread(range.thread);
    if (range.is_mark)
      file_.add_instant(R"("cpu_instant_event")", name(range.name), process_, tid, time(range.start));
    else
      file_.add_slice(category_of(range.source), name(range.name), process_, tid, time(range.start, range.end),
                      range_args(range));
  }
}

// The inputs of the collective that this range stands for, as the trace gave them; empty: it gave none.
std::string RankTrace::range_args(const HostRange& range) const {
  const auto& known = trace_.annotated_collectives;
  const auto place = [](const auto& one) { return std::tuple(one.thread, one.start, -one.end); };
  const auto found =
      std::lower_bound(known.begin(), known.end(), place(range),
                       [&](const AnnotatedCollective& one, const auto& wanted) { return place(one) < wanted; });
  if (found == known.end() || place(*found) != place(range)) return {};
  const AnnotatedCollective& inputs = *found;
  return fmt::format(R"("Input Dims": [[{}]], "Input type": ["{}"])", inputs.elements, c_type(inputs.datatype));
}

bool RankTrace::is_profiler_step(const HostRange& range) const {
  return trace_.names[range.name].starts_with("ProfilerStep#");
}

bool RankTrace::has_profiler_steps() const {
  return std::any_of(trace_.ranges.begin(), trace_.ranges.end(),
                     [&](const HostRange& range) { return is_profiler_step(range); });
}

// Readers would count a step that has only some of its events: one that began while the last chosen one still ran.
bool RankTrace::is_step_left_out(const HostRange& range) const {
  if (!is_profiler_step(range)) return false;
  const RankStep* const step = step_on_host(rank_.timeline, range.start);
  return step && !run_.covers(step->number);
}

// Readers know steps by the name that PyTorch's profiler gives them. A trace has none where the steps were found in
// another way; one that was imported is left as it was.
void RankTrace::write_steps() {
  if (trace_.threads.empty() || rank_.timeline.source == "kineto" || run_.report.facts.is_by_time()) return;
  size_t main = 0;
  for (size_t i = 0; i < trace_.threads.size(); ++i)
    if (trace_.threads[i].is_main) main = i;
  for (const RankStep& step : rank_.timeline.steps)
    if (run_.covers(step.number))
      file_.add_slice(R"("user_annotation")", json_text(fmt::format("ProfilerStep#{}", step.number)), process_,
                      thread(main), time(step.host.start, step.host.end), {});
}

void RankTrace::write_calls() {
  for (uint32_t i = 0; i < trace_.calls.size(); ++i) {
    const uint32_t call = in_order(trace_.call_order, i);
    if (calls_.has(call)) write_call(trace_.calls[call], correlation_of(call), calls_.launches(call));
  }
}

void RankTrace::write_call(const HostCall& call, int64_t correlation, bool launches) {
  const std::string args = correlation != 0 ? fmt::format(R"("correlation": {})", correlation) : "";
  file_.add_slice(category_of(trace_.names[call.function]), name(call.function), process_, thread(call.thread),
                  time(call.start, call.end), args);
  if (launches) file_.add_flow(correlation, process_, thread(call.thread), time(call.start), true);
}

void RankTrace::write_spans() {
  int64_t unlaunched = largest_correlation_ + static_cast<int64_t>(trace_.calls.size());
  for (uint32_t i = 0; i < rank_.device.spans.size(); ++i) {
    const DeviceSpan& span = rank_.device.spans[in_order(rank_.device.span_order, i)];
    const int64_t correlation = span.call != kNoIndex ? correlation_of(span.call) : ++unlaunched;
    if (rank_.shows(span.start, span.end)) write_span(span, correlation);
  }
}

void RankTrace::write_span(const DeviceSpan& span, int64_t correlation) {
  const int64_t device = rank_.device.device_of(rank_.device.streams[span.stream]);
  const int64_t stream = rank_.device.streams[span.stream].number;
  const bool has_name = !trace_.names[span.name].empty();
  const std::string given = has_name ? std::string() : json_text(name_of_work(span, trace_.names));
  file_.add_slice(category_of(span.activity), has_name ? name(span.name) : given, device, stream,
                  time(span.start, span.end), span_args(span, correlation));
  if (span.call != kNoIndex) file_.add_flow(correlation, device, stream, time(span.start), false);
}

std::string RankTrace::span_args(const DeviceSpan& span, int64_t correlation) const {
  const DeviceStream& stream = rank_.device.streams[span.stream];
  std::string args = fmt::format(R"("device": {}, "context": {}, "stream": {}, "correlation": {})",
                                 rank_.device.device_of(stream), stream.context, stream.number, correlation);
  if (span.bytes != 0) args += fmt::format(R"(, "bytes": {})", span.bytes);
  if (const double bandwidth = bandwidth_of(span, correlation); bandwidth > 0)
    args += fmt::format(", \"memory bandwidth (GB/s)\": {}", bandwidth);
  if (span.collective != kNoIndex) args += collective_args(trace_.collectives[span.collective]);
  return args;
}

// As the trace had it that was imported, else bytes over duration; 0: not known.
double RankTrace::bandwidth_of(const DeviceSpan& span, int64_t correlation) const {
  if (span.bytes <= 0) return 0;
  const auto is_before = [](const CopyBandwidth& one, Nanoseconds start) { return one.start < start; };
  const auto first = std::lower_bound(trace_.bandwidths.begin(), trace_.bandwidths.end(), span.start, is_before);
  // Copies whose launch was not recorded have another correlation here.
  for (auto known = first; known != trace_.bandwidths.end() && known->start == span.start; ++known)
    if (known->correlation == static_cast<uint64_t>(correlation)) return known->gb_per_s;
  if (first != trace_.bandwidths.end() && first->start == span.start) return first->gb_per_s;
  return span.end > span.start ? static_cast<double>(span.bytes) / static_cast<double>(span.end - span.start) : 0;
}

std::string RankTrace::collective_args(const CollectiveCall& collective) const {
  const auto found = trace_.communicators.find(collective.communicator);
  const Communicator none;
  return describe_collective(collective, found == trace_.communicators.end() ? none : found->second, members_);
}

}  // namespace tauprof::kineto_export
