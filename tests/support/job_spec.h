// The generator's input: the shape of a training job and the faults injected into it.
//
// All times are in nanoseconds and all factors in permille (1200 = 1.2 times), so that a job is the
// same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/status.h"
#include "step_noise.h"

namespace tauprof::generator {

enum class StepMarker : uint8_t {
  kNvtx,        // ranges "step N" with phase ranges inside
  kAnnotation,  // user annotations "ProfilerStep#N"
  kNone,        // no ranges at all
};

enum class StepEnd : uint8_t {
  kStreamSync,    // the loss is copied back and its stream synchronized
  kDeviceSync,    // cudaDeviceSynchronize
  kBlockingCopy,  // cudaMemcpy of the loss
  kNone,          // the host runs ahead
};

// A value for one rank, in every step.
struct RankValue {
  int rank;
  int64_t value;
};

// A value for one rank in one step; step -1: every step.
struct StepValue {
  int rank;
  int step;
  int64_t value;
};

struct JobSpec {
  uint64_t seed = 1;
  int ranks = 4;
  int hosts = 1;
  int devices_per_process = 1;  // each a rank, driven by its own threads
  int steps = 5;
  int64_t events_per_rank = 0;  // above 0: enough steps to give rank 0 that many calls and spans

  int tensor_parallel = 1;               // ranks of one group that share every layer
  int pipeline = 1;                      // stages, joined by point-to-point messages
  bool is_sharded = false;               // all-gather and reduce-scatter instead of all-reduce
  bool has_broadcast = false;            // of buffers, at the start of each step
  bool has_all_to_all = false;           // in every layer's forward
  bool is_exchange_by_messages = false;  // the all-to-all is a group of sends and receives
  bool has_grouped_buckets = false;      // a bucket is a group with one collective per layer
  bool has_autograd = true;              // backward is launched by a second thread
  bool has_fused_reduces = false;        // kernels that all-reduce and normalize at once, in every layer
  bool has_graph = false;                // the optimizer is one graph launch, without node records
  bool has_outside_work = false;         // device work before the first and after the last step
  bool has_orphans = false;              // one memset per step without a recorded call
  bool has_forwards_first = false;       // of a pipeline: all forwards of a step, then all backwards (GPipe)
  bool has_interleaved_batches = false;  // of a pipeline: one forward, one backward; needs buffered sends
  bool has_buffered_sends = false;       // a sender does not wait for its receiver
  bool has_pair_communicators = false;   // of a pipeline: one for each two neighbouring stages
  bool has_marked_data_wait = true;      // the loader has a range
  bool has_phase_ranges = true;          // false: only the steps are marked
  bool has_second_network = false;       // with its own pass and update in each step
  bool has_varying_steps = false;        // up to two more layers in some steps
  std::string algorithm;                 // that the log names for each collective; empty: none
  StepMarker marker = StepMarker::kNvtx;
  StepEnd step_end = StepEnd::kStreamSync;

  int layers = 4;
  int micro_batches = 1;
  int eval_every = 0;  // steps between evaluations; 0: none
  int eval_batches = 2;
  int readback_every = 0;  // steps between readbacks of the loss, in addition to the end of each step; 0: none
  int layers_per_bucket = 2;
  int64_t gemm_ns = 400'000;
  int64_t elementwise_ns = 60'000;
  int64_t optimizer_ns = 150'000;
  int64_t layer_bytes = 16 << 20;   // gradients of one layer
  int64_t message_bytes = 1 << 20;  // activations of one layer
  int64_t link_latency_ns = 20'000;
  int64_t link_bytes_per_us = 100'000;
  int64_t call_ns = 4'000;
  int64_t between_calls_ns = 3'000;
  int64_t loader_ns = 30'000;
  int64_t jitter_permille = 50;
  int64_t work_permille = 1000;  // of the time of all kernels that compute
  StepNoise step_noise;

  std::vector<RankValue> slow_ranks;      // permille: compute kernels take longer
  std::vector<RankValue> throttled;       // the same, and the clock in the telemetry falls accordingly
  std::vector<RankValue> slow_links;      // permille: transfers with this rank take longer
  std::vector<RankValue> busy_hosts;      // permille: time between calls
  std::vector<RankValue> extra_kernels;   // additional kernels in each layer
  std::vector<RankValue> clock_offsets;   // added to every time in this rank's log
  std::vector<RankValue> device_offsets;  // added to the times of this rank's device only
  std::vector<RankValue> clock_drifts;    // ppb by which the log's clock gains
  std::vector<RankValue> wall_clocks;     // error of the wall clock in the log's header
  std::vector<RankValue> layer_syncs;     // value != 0: the stream is synchronized after each layer
  std::vector<StepValue> slow_steps;      // permille: compute kernels take longer in this step
  std::vector<StepValue> contentions;     // like a stall, but telemetry says that the thread waited for a CPU
  std::vector<StepValue> allocations;     // the main thread allocates memory in forward
  std::vector<StepValue> stalls;          // the main thread leaves the CPU in forward
  std::vector<StepValue> data_waits;      // the main thread waits for its input
  std::vector<StepValue> recording_gaps;  // the job pauses and nothing is recorded
  std::vector<StepValue> wrong_times;     // added to the times of the step's first collective kernel
  std::vector<StepValue> drops;           // compute spans missing from the log
  std::vector<StepValue> lost_kernels;    // the same of kernels that communicate
  std::vector<int64_t> sweep_bytes;       // sizes of additional collectives at the end of each step
  std::vector<int> missing;               // ranks whose log is not written
};

int ranks_per_host(const JobSpec& spec);

// An error names the first mistake in the spec, in one line.
Status validate(const JobSpec& spec);

// The list's value for this rank, or `otherwise`; for steps the sum of all matching values.
int64_t value_for(const std::vector<RankValue>& list, int rank, int64_t otherwise);
int64_t value_for(const std::vector<StepValue>& list, int rank, int step);

}  // namespace tauprof::generator
