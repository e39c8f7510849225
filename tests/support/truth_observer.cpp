// Writes the truth file.
#include "truth_observer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "json_line.h"

namespace tauprof::generator {
namespace {

std::string_view operation_name(log::Operation operation) {
  static constexpr std::string_view kNames[] = {
      "unknown", "all_reduce", "all_gather", "reduce_scatter", "all_to_all",   "broadcast", "reduce",
      "gather",  "scatter",    "send",       "receive",        "send_receive", "barrier"};
  return kNames[static_cast<int>(operation)];
}

std::string_view datatype_name(log::DataType datatype) {
  switch (datatype) {
    case log::DataType::kFloat16:
      return "float16";
    case log::DataType::kFloat32:
      return "float32";
    default:
      return "bfloat16";
  }
}

}  // namespace

TruthObserver::~TruthObserver() {
  if (file_ != nullptr) fclose(file_);
}

Status TruthObserver::open(const std::string& path) {
  path_ = path;
  file_ = fopen(path.c_str(), "w");
  if (file_ == nullptr) return Status::error(path + ": " + strerror(errno) + "; give a file that can be written");
  write_job();
  write_injections();
  return Status::ok();
}

Status TruthObserver::close() {
  const bool has_failed = ferror(file_) != 0 || fclose(file_) != 0;
  file_ = nullptr;
  return has_failed ? Status::error(path_ + ": could not be written completely; is the disk full?") : Status::ok();
}

void TruthObserver::write(const std::string& line) {
  fwrite(line.data(), 1, line.size(), file_);
  fputc('\n', file_);
}

void TruthObserver::write_job() {
  JsonLine job("job");
  job.add("seed", static_cast<int64_t>(spec_.seed)).add("world_size", spec_.ranks).add("hosts", spec_.hosts);
  job.add("marker", spec_.marker == StepMarker::kNvtx         ? "nvtx"
                    : spec_.marker == StepMarker::kAnnotation ? "annotation"
                                                              : "none");
  write(job.braces());
  for (int rank = 0; rank < spec_.ranks; ++rank) {
    JsonLine line("rank");
    line.add("rank", rank).add("host", "node" + std::to_string(rank / ranks_per_host(spec_)));
    const int process = rank / spec_.devices_per_process;
    line.add("process", process);
    const int owner = process * spec_.devices_per_process;  // of the log and its clock
    line.add("clock_offset_ns", value_for(spec_.clock_offsets, owner, 0));
    line.add("clock_drift_ppb", value_for(spec_.clock_drifts, owner, 0));
    line.add_flag("logged", std::find(spec_.missing.begin(), spec_.missing.end(), rank) == spec_.missing.end());
    write(line.braces());
  }
}

void TruthObserver::write_injections() {
  const std::pair<const char*, const std::vector<RankValue>*> of_ranks[] = {
      {"slow_rank", &spec_.slow_ranks}, {"throttle", &spec_.throttled},     {"slow_link", &spec_.slow_links},
      {"busy_host", &spec_.busy_hosts}, {"layer_sync", &spec_.layer_syncs}, {"extra_kernels", &spec_.extra_kernels},
  };
  for (const auto& [cause, list] : of_ranks) {
    for (const RankValue& entry : *list) {
      write(JsonLine("injection").add("cause", cause).add("rank", entry.rank).add("value", entry.value).braces());
    }
  }
  const std::pair<const char*, const std::vector<StepValue>*> of_steps[] = {
      {"stall", &spec_.stalls},         {"allocation", &spec_.allocations},
      {"data_wait", &spec_.data_waits}, {"gap", &spec_.recording_gaps},
      {"drop", &spec_.drops},           {"lost_kernel", &spec_.lost_kernels}};
  for (const auto& [cause, list] : of_steps) {
    for (const StepValue& entry : *list) {
      JsonLine line("injection");
      line.add("cause", cause).add("rank", entry.rank).add_unless("step", entry.step, -1).add("value", entry.value);
      write(line.braces());
    }
  }
}

void TruthObserver::on_call(int rank, const HostCall& call) {
  JsonLine line("call");
  line.add("rank", rank).add("id", call.correlation);
  line.add("thread", thread_name(rank % spec_.devices_per_process, call.thread));
  line.add("function", call.function).add("role", call_role_name(call.role));
  line.add("start", call.start).add("end", call.end);
  line.add_unless("stream", call.stream < 0 ? -1 : stream_number(call.stream), -1);
  line.add_flag("to_device", call.copy_kind == log::CopyKind::kHostToDevice);
  line.add_unless("flops", 2 * call.m * call.n * call.k, 0);
  line.add_unless("thread_cpu_ns", call.thread_cpu_ns, 0).add_unless("end_cpu_ns", call.end_cpu_ns, 0);
  line.add_unless("step", call.step, -1);
  line.add("phase", phase_name(call.phase));
  write(line.braces());
}

void TruthObserver::on_span(int rank, const DeviceSpan& span) {
  JsonLine line("span");
  line.add("rank", rank).add("class", span_class_name(span.span_class)).add("name", span.name);
  line.add("stream", stream_number(span.stream)).add("start", span.start).add("end", span.end);
  line.add_unless("call", span.launch, 0).add_unless("collective", span.unit, -1);
  line.add_flag("recorded", span.is_recorded);
  write(line.braces());
}

void TruthObserver::on_range(int rank, const HostRange& range) {
  JsonLine line("range");
  line.add("rank", rank);
  line.add("thread", thread_name(rank % spec_.devices_per_process, range.thread)).add("name", range_text(range));
  line.add_unless("step", range.step_marker, -1);
  if (range.has_phase) line.add("phase", phase_name(range.phase));
  line.add("start", range.start).add("end", range.end);
  write(line.braces());
}

void TruthObserver::on_collective(const CollectiveUnit& unit) {
  std::string parts = "[";
  for (const CollectivePart& part : unit.parts) {
    JsonLine line;
    line.add("rank", part.rank).add("call", part.launch).add("arrival", part.arrival).add("end", part.end);
    parts.append(parts.size() > 1 ? "," : "").append(line.braces());
  }
  JsonLine line("collective");
  line.add("id", unit.id).add("comm", unit.communicator).add("op", operation_name(unit.operation));
  line.add("dtype", datatype_name(unit.datatype)).add("count", unit.count).add("sequence", unit.sequence);
  line.add("ranks", unit.size).add_unless("root", unit.root < 0 ? -1 : unit.parts[unit.root].rank, -1);
  line.add_raw("parts", parts + "]");
  write(line.braces());
}

void TruthObserver::on_step_end(int rank, int step, int64_t, int64_t dropped_spans) {
  if (dropped_spans == 0) return;
  write(JsonLine("drop").add("rank", rank).add("step", step).add("spans", dropped_spans).braces());
}

void TruthObserver::on_recording_gap(int rank, int64_t start, int64_t end) {
  write(JsonLine("gap").add("rank", rank).add("start", start).add("end", end).braces());
}

}  // namespace tauprof::generator
