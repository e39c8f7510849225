// Validation of a JobSpec, and look-ups in it.
#include "job_spec.h"

#include <algorithm>
#include <string>

namespace tauprof::generator {
namespace {

template <class Values>
bool names_existing_ranks(const Values& values, int ranks) {
  for (const auto& value : values) {
    if (value.rank < 0 || value.rank >= ranks) return false;
  }
  return true;
}

bool injections_name_existing_ranks(const JobSpec& spec) {
  for (int rank : spec.missing) {
    if (rank < 0 || rank >= spec.ranks) return false;
  }
  for (const auto* list :
       {&spec.slow_ranks, &spec.throttled, &spec.slow_links, &spec.busy_hosts, &spec.extra_kernels, &spec.clock_offsets,
        &spec.device_offsets, &spec.clock_drifts, &spec.wall_clocks, &spec.layer_syncs}) {
    if (!names_existing_ranks(*list, spec.ranks)) return false;
  }
  for (const auto* list : {&spec.stalls, &spec.allocations, &spec.slow_steps, &spec.contentions, &spec.data_waits,
                           &spec.recording_gaps, &spec.wrong_times, &spec.drops}) {
    if (!names_existing_ranks(*list, spec.ranks)) return false;
  }
  return true;
}

}  // namespace

int ranks_per_host(const JobSpec& spec) { return (spec.ranks + spec.hosts - 1) / spec.hosts; }

Status validate(const JobSpec& spec) {
  if (spec.ranks < 1 || spec.ranks > 1024) return Status::error("ranks: give 1 to 1024");
  if (spec.hosts < 1 || spec.hosts > spec.ranks) return Status::error("hosts: give 1 to the number of ranks");
  if (spec.steps < 1 || spec.layers < 1 || spec.micro_batches < 1 || spec.layers_per_bucket < 1) {
    return Status::error("steps, layers, micro-batches, layers per bucket: give 1 or more");
  }
  if (spec.tensor_parallel < 1 || spec.pipeline < 1 || spec.ranks % (spec.tensor_parallel * spec.pipeline) != 0) {
    return Status::error("tensor-parallel × pipeline must divide the number of ranks");
  }
  if (spec.devices_per_process < 1 || spec.ranks % spec.devices_per_process != 0 ||
      ranks_per_host(spec) % spec.devices_per_process != 0) {
    return Status::error("devices per process must divide the number of ranks and the ranks of a host");
  }
  if (spec.devices_per_process > 1 && !spec.missing.empty()) {
    return Status::error("missing: only logs with a single rank can be left out");
  }
  if (spec.has_interleaved_batches && !spec.has_buffered_sends) {
    return Status::error("interleaved batches need buffered sends: stages would wait for each other forever");
  }
  if (std::any_of(spec.sweep_bytes.begin(), spec.sweep_bytes.end(), [](int64_t bytes) { return bytes < 2; })) {
    return Status::error("sweep bytes: give sizes of 2 or more");
  }
  if (spec.step_noise.permille < 0 || spec.step_noise.permille > 150 || spec.step_noise.memory_permille < 0 ||
      spec.step_noise.memory_permille > 999) {
    return Status::error("step noise: give 0 to 150 permille, of which 0 to 999 permille are handed on");
  }
  if (spec.step_noise.permille > 0 && spec.events_per_rank > 0) {
    return Status::error("step noise needs a number of steps, not of events");
  }
  if (spec.work_permille < 1) return Status::error("work: give 1 permille or more");
  if (spec.link_bytes_per_us < 1) return Status::error("link speed: give 1 byte/µs or more");
  if (!injections_name_existing_ranks(spec)) {
    return Status::error("an injection names a rank outside 0 to " + std::to_string(spec.ranks - 1));
  }
  return Status::ok();
}

int64_t value_for(const std::vector<RankValue>& list, int rank, int64_t otherwise) {
  for (const RankValue& entry : list) {
    if (entry.rank == rank) return entry.value;
  }
  return otherwise;
}

int64_t value_for(const std::vector<StepValue>& list, int rank, int step) {
  int64_t sum = 0;
  for (const StepValue& entry : list) {
    if (entry.rank == rank && (entry.step == step || entry.step < 0)) sum += entry.value;
  }
  return sum;
}

}  // namespace tauprof::generator
