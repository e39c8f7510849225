// The fields of a timeline, each named once: writer, reader and layout of the file all follow from these lists. A
// visitor is called with a name and a field, or by `since` for a time that is stored as the distance from another.
//
// Fields that are filled in only when ranks are compared are in no list.
#pragma once

#include "model/reduced_log.h"
#include "timelines/recording_fields.h"

namespace tauprof {

template <class Visitor>
void fields(Visitor& v, ComputeWork& work) {
  v("kernels", work.kernels);
  v("flops", work.flops);
  v("threads", work.threads);
}

template <class Visitor>
void fields(Visitor& v, SpentTime& spent) {
  v("rows", spent.rows);
  v("work", spent.work);
  v("copied_bytes", spent.copied_bytes);
}

template <class Visitor>
void fields(Visitor& v, SpentBefore& spent) {
  v("device", spent.device);
  v("host", spent.host.rows);
}

template <class Visitor>
void fields(Visitor& v, SpentColumns& columns) {
  std::vector<SpentBefore> by_collective;
  for (size_t i = 0; i < columns.size(); ++i) by_collective.push_back(columns[i]);
  v("spent", by_collective);
  columns = SpentColumns(by_collective);
}

template <class Visitor>
void fields(Visitor& v, PeerCall& call) {
  v("peer", call.peer);
  v("is_send", call.is_send);
  v("bytes", call.bytes);
  v("number", call.number);
}

template <class Visitor>
void fields(Visitor& v, RankCollective& collective) {
  v("launch_start", collective.launch_start);
  v.since("launch_end", collective.launch_end, collective.launch_start);
  v.since("start", collective.start, collective.launch_start);
  v.since("end", collective.end, collective.start);
  v("communicator", collective.communicator);
  v("sequence", collective.sequence);
  v("count", collective.count);
  RareParts rare = *collective.rare;
  v("bytes_out", rare.bytes_out);
  v("bytes_in", rare.bytes_in);
  v("communicator_size", collective.communicator_size);
  v("communicator_rank", collective.communicator_rank);
  v("peer", collective.peer);
  v("step", collective.step);
  v("operation", collective.operation);
  v("datatype", collective.datatype);
  v("phase", collective.phase);
  v("source_line", collective.source_line);
  v("algorithm", collective.algorithm);
  v("has_identity", collective.has_identity);
  v("is_of_several", collective.is_of_several);
  v("reported_length", rare.reported_length);
  v("reported_wait", rare.reported_wait);
  v("exposed", collective.exposed);
  v("peer_calls", rare.peer_calls);
  if (rare != *collective.rare) collective.rare.edit() = std::move(rare);
}

template <class Visitor>
void fields(Visitor& v, CommSlice& slice) {
  v("time", slice.time);
  v("step", slice.step);
  v("first_member", slice.first_member);
  v("member_count", slice.member_count);
}

template <class Visitor>
void fields(Visitor& v, LedgerCell& cell) {
  v("phase", cell.phase);
  v("row", cell.row);
  v("length", cell.length);
}

template <class Visitor>
void fields(Visitor& v, InputCopies& copies) {
  v("count", copies.count);
  v("awaited", copies.awaited);
  v("pageable", copies.pageable);
  v("in_line", copies.in_line);
  v("bytes", copies.bytes);
  v("total", copies.total);
}

template <class Visitor>
void fields(Visitor& v, StepHealth& health) {
  v("sm_clock_mhz", health.sm_clock_mhz);
  v("throttle_reasons", health.throttle_reasons);
  v("power_w", health.power_w);
  v("temperature_c", health.temperature_c);
  v("cpu_wait", health.cpu_wait);
}

template <class Visitor>
void fields(Visitor& v, RankStep& step) {
  v("number", step.number);
  v("device", step.device);
  v("host", step.host);
  v("ahead", step.ahead);
  v("compute", step.compute);
  v("comm", step.comm);
  v("busy", step.busy);
  v("device_by_phase", step.device_by_phase);
  v("device_backward_step", step.device_backward_step);
  v("device_total", step.device_total);
  v("host_by_phase", step.host_by_phase);
  v("host_blocked", step.host_blocked);
  v("batches", step.batches);
  v("batch_bytes", step.batch_bytes);
  v("backward_passes", step.backward_passes);
  v("inferred", step.inferred);
  v("work", step.work);
  v("copied_bytes", step.copied_bytes);
  v("input_copies", step.input_copies);
  v("flops", step.flops);
  v("unclassified_flops", step.unclassified_flops);
  v("repeated_flops", step.repeated_flops);
  v("graph_nodes", step.graph_nodes);
  v("conditional_nodes", step.conditional_nodes);
  v("gemm", step.gemm);
  v("health", step.health);
  v("cells", step.cells);
}

template <class Visitor>
void fields(Visitor& v, KnownWork& work) {
  v("flops", work.flops);
  v("least_bytes", work.bytes.least);
  v("most_bytes", work.bytes.most);
  v("precision", work.precision);
  v("with_bytes", work.with_bytes);
  v("on_device", work.on_device);
}

template <class Visitor>
void fields(Visitor& v, KernelTotal& kernel) {
  v("name", kernel.name);
  v("span_class", kernel.span_class);
  v("count", kernel.count);
  v("total", kernel.total);
  v("longest", kernel.longest);
  v("work", kernel.work);
}

template <class Visitor>
void fields(Visitor& v, GemmShape& shape) {
  v("m", shape.m);
  v("n", shape.n);
  v("k", shape.k);
  v("batch", shape.batch);
  v("flops", shape.flops);
  v("type_a", shape.type_a);
  v("type_b", shape.type_b);
  v("type_compute", shape.type_compute);
  v("transpose", shape.transpose);
  v("form", shape.form);
}

template <class Visitor>
void fields(Visitor& v, RankGemm& gemm) {
  v("function", gemm.function);
  v("shape", gemm.shape);
  v("precision", gemm.precision);
}

template <class Visitor>
void fields(Visitor& v, GemmTotal& gemm) {
  v("kind", gemm.kind);
  v("count", gemm.count);
  v("total", gemm.total);
}

template <class Visitor>
void fields(Visitor& v, UncountedTotal& kernel) {
  v("name", kernel.name);
  v("kind", kernel.kind);
  v("count", kernel.count);
  v("total", kernel.total);
}

template <class Visitor>
void fields(Visitor& v, SourceLineTotal& line) {
  v("source_line", line.source_line);
  v("call", line.call);
  v("count", line.count);
  v("total", line.total);
  v("charged", line.charged);
}

template <class Visitor>
void fields(Visitor& v, PlaceNode& node) {
  v("parent", node.parent);
  v("name", node.name);
}

template <class Visitor>
void fields(Visitor& v, PlaceTotal& place) {
  v("node", place.node);
  v("before", place.before);
  v("after", place.after);
  v("charged", place.charged);
  v("spent", place.spent);
}

template <class Visitor>
void fields(Visitor& v, PathNode& node) {
  v("parent", node.parent);
  v("name", node.name);
  v("kind", node.kind);
}

template <class Visitor>
void fields(Visitor& v, PathTimes& times) {
  v("launched", times.launched);
  v("device", times.device);
  v("exposed", times.exposed);
  v("idle", times.idle);
  v("host", times.host);
  v("blocked", times.blocked);
}

template <class Visitor>
void fields(Visitor& v, PathTotal& path) {
  v("node", path.node);
  v("times", path.times);
}

template <class Visitor>
void fields(Visitor& v, CallTotal& call) {
  v("function", call.function);
  v("call_class", call.call_class);
  v("count", call.count);
  v("total", call.total);
  v("shortest", call.shortest);
  v("longest", call.longest);
}

template <class Visitor>
void fields(Visitor& v, HtaBreakdown& hta) {
  v("is_defined", hta.is_defined);
  v("kernel_time_us", hta.kernel_time_us);
  v("idle_time_us", hta.idle_time_us);
  v("compute_time_us", hta.compute_time_us);
  v("non_compute_time_us", hta.non_compute_time_us);
  v("overlap_percent", hta.overlap_percent);
  v("has_overlap", hta.has_overlap);
  v("is_a_step_short", hta.is_a_step_short);
}

template <class Visitor>
void fields(Visitor& v, OutsideSteps& outside) {
  v("recorded", outside.recorded);
  v("before", outside.before);
  v("between", outside.between);
  v("after", outside.after);
}

template <class Visitor>
void fields(Visitor& v, CommunicatorOrigin& origin) {
  v("identity", origin.identity);
  v("joined_identity", origin.joined_identity);
  v("parent", origin.parent);
  v("part", origin.part);
}

template <class Visitor>
void fields(Visitor& v, StepMemory& memory) {
  v("number", memory.number);
  v("in_use", memory.in_use);
  v("allocations", memory.allocations);
  v("frees", memory.frees);
}

template <class Visitor>
void fields(Visitor& v, RankMemory& memory) {
  v("is_recorded", memory.is_recorded);
  v("is_lower_bound", memory.is_lower_bound);
  v("device_bytes", memory.device_bytes);
  v("peak_bytes", memory.peak_bytes);
  v("peak_by_phase", memory.peak_by_phase);
  v("steps", memory.steps);
}

template <class Visitor>
void fields(Visitor& v, RankTimeline& rank) {
  v("rank", rank.rank);
  v("world_size", rank.world_size);
  v("device", rank.device);
  v("united_with", rank.united_with);
  v("file", rank.file);
  v("host", rank.host);
  v("device_name", rank.device_name);
  v("source", rank.source);
  v("command", rank.command);
  v("untimed_because", rank.untimed_because);
  v("versions", rank.versions);
  v("settings", rank.settings);
  v("steps_origin", rank.steps_origin);
  v("steps_source", rank.steps_source);
  v("steps_confidence", rank.steps_confidence);
  v("steps_reason", rank.steps_reason);
  v("boot_id", rank.boot_id);
  v("clock", rank.clock);
  v("has_realtime", rank.has_realtime);
  v("realtime_offset_ns", rank.realtime_offset_ns);
  v("steps", rank.steps);
  v("unwanted_steps", rank.unwanted_steps);
  v("steps_in_gaps", rank.steps_in_gaps);
  v("outside_steps", rank.outside_steps);
  v("collectives", rank.collectives);
  v("spent", rank.spent);
  v("untimed_collectives", rank.untimed_collectives);
  v("operations_device", rank.operations_device);
  v("slices", rank.slices);
  v("slice_members", rank.slice_members);
  v("kernels", rank.kernels);
  v("kernel_names", rank.kernel_names);
  v("gemms", rank.gemms);
  v("gemm_kinds", rank.gemm_kinds);
  v("uncounted", rank.uncounted);
  v("uncounted_names", rank.uncounted_names);
  v("source_lines", rank.source_lines);
  v("source_line_names", rank.source_line_names);
  v("places", rank.places);
  v("place_nodes", rank.place_nodes);
  v("place_names", rank.place_names);
  v("paths", rank.paths);
  v("path_nodes", rank.path_nodes);
  v("path_names", rank.path_names);
  v("call_totals", rank.call_totals);
  v("function_names", rank.function_names);
  v("communicator_names", rank.communicator_names);
  v("communicator_origins", rank.communicator_origins);
  v("repeats_unknown_because", rank.repeats_unknown_because);
  v("hta", rank.hta);
  v("memory", rank.memory);
  v("progress", rank.progress);
  v("quality", rank.quality);
  v("spans", rank.spans);
  v("calls", rank.calls);
  v("unmatched_spans", rank.unmatched_spans);
  v("clamped_latencies", rank.clamped_latencies);
}

template <class Visitor>
void fields(Visitor& v, ReducedLog& log) {
  v("ranks", log.ranks);
  v("skipped", log.skipped);
  v("damaged", log.damaged);
  v("time_notes", log.time_notes);
  v("unmet_wishes", log.unmet_wishes);
  v("is_replayed", log.is_replayed);
}

}  // namespace tauprof
