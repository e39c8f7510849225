// The data kept of a rank after its trace was analysed: sums per step, its collectives, and at first the slices of
// exposed communication that can be split only together with the peers. Its size grows with steps and collectives, not
// with events, so thousands of ranks fit in memory at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/call_path.h"
#include "model/clock_map.h"
#include "model/collective_algorithm.h"
#include "model/gemm_work.h"
#include "model/known_work.h"
#include "model/ledger.h"
#include "model/on_demand.h"
#include "model/outside_steps.h"
#include "model/process_trace.h"
#include "model/rank_memory.h"
#include "model/rank_operations.h"
#include "model/rank_progress.h"
#include "model/spent_columns.h"
#include "model/time.h"

namespace tauprof {

// One side of a point-to-point call inside a collective unit.
struct PeerCall {
  int32_t peer = -1;
  bool is_send = false;
  int64_t bytes = 0;
  int64_t number = 0;  // among the rank's calls to, or from, that peer, from 1; 0: not known

  bool operator==(const PeerCall&) const = default;
};

// What few collectives have.
struct RareParts {
  int64_t bytes_out = 0;  // bytes to other ranks, if they differ between ranks
  int64_t bytes_in = 0;   // bytes from other ranks, in an all-to-all made of sends and receives
  // NCCL's report about its kernel, if it was asked:
  Nanoseconds reported_length = 0;  // 0: no report
  Nanoseconds reported_wait = 0;    // until the first channel had met the other ranks
  Nanoseconds contradiction = 0;    // by how much clocks put a member's end before another's start, if by too much
  std::vector<PeerCall> peer_calls;

  bool operator==(const RareParts&) const = default;
};

// A collective as this rank carried it out: one call, or all calls of a group on one communicator. It lasts from the
// start of its first kernel to the end of its last.
struct RankCollective {
  Nanoseconds start = 0;  // arrival
  Nanoseconds end = 0;
  Nanoseconds launch_start = 0;  // of the host call; 0: not known
  Nanoseconds launch_end = 0;
  uint64_t communicator = 0;  // identity, or channel + 1 if that is not known
  int64_t sequence = 0;       // 0: not known
  int64_t count = 0;
  Nanoseconds exposed = 0;
  Nanoseconds ready = 0;         // on this rank's clock, once its peers are known
  Nanoseconds exposed_wait = 0;  // the part of its wait in which nothing computed, once its rank's slices are booked
  OnDemand<RareParts> rare;
  int32_t communicator_size = 0;  // 0: not known
  int32_t communicator_rank = -1;
  int32_t peer = -1;
  int32_t step = kNoStep;           // index into RankTimeline::steps: the window in which it starts
  uint32_t source_line = kNoIndex;  // of its call, index into source_line_names; kNoIndex: no stack
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
  Phase phase = Phase::kOther;
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::kUnknown;
  bool has_identity = false;
  bool is_of_several = false;  // a group of several collectives, or of messages that are no all-to-all

  // Filled once its peers are known.
  bool is_split = false;        // ready is known
  bool is_upper_bound = false;  // the wait may be shorter (rooted and point-to-point operations)
  bool is_by_length = false;    // split by the lengths of the members' spans alone, since their clocks do not agree
  bool is_reported = false;     // by NCCL on each member

  // It only sends, or only receives.
  bool is_one_way() const {
    const auto is_send = [](const PeerCall& call) { return call.is_send; };
    const std::vector<PeerCall>& peer_calls = rare->peer_calls;
    return !peer_calls.empty() && (std::all_of(peer_calls.begin(), peer_calls.end(), is_send) ||
                                   std::none_of(peer_calls.begin(), peer_calls.end(), is_send));
  }

  bool is_split_without_clocks() const { return is_by_length || is_reported; }
  Nanoseconds wait() const { return is_split ? ready - start : 0; }
  Nanoseconds transfer() const { return is_split ? end - ready : 0; }
};

// A time in which communication ran and nothing computed, with the collectives that ran.
struct CommSlice {
  Interval time;
  int32_t step = kNoStep;
  uint32_t first_member = 0;  // into RankTimeline::slice_members
  uint32_t member_count = 0;
};

struct LedgerCell {
  Phase phase;
  LedgerRow row;
  Nanoseconds length;
};

// Copies of input that started in a step's device window.
struct InputCopies {
  uint32_t count = 0;
  uint32_t awaited = 0;   // for which the host waited …
  uint32_t pageable = 0;  // … inside an asynchronous call that took until they were done, as from pageable memory
  uint32_t in_line = 0;   // on the stream that computes most
  int64_t bytes = 0;
  Nanoseconds total = 0;

  void add(const InputCopies& other) {
    count += other.count;
    awaited += other.awaited;
    pageable += other.pageable;
    in_line += other.in_line;
    bytes += other.bytes;
    total += other.total;
  }
};

// Telemetry of a rank's device and host during a step, if it was recorded.
struct StepHealth {
  std::optional<double> sm_clock_mhz;  // of its device
  uint64_t throttle_reasons = 0;       // NVML's bits, of all readings
  std::optional<double> power_w;
  std::optional<double> temperature_c;
  std::optional<Nanoseconds> cpu_wait;  // how long its launching threads were ready to run but had no CPU
};

struct RankStep {
  int64_t number = 0;
  std::optional<Interval> device;  // none: the rank has no device times, so none of the sums of device times below
  Interval host;
  Nanoseconds ahead = 0;                    // StepWindow::ahead
  Nanoseconds compute = 0;                  // |U(compute)|
  Nanoseconds comm = 0;                     // |U(comm)|
  Nanoseconds busy = 0;                     // |U(compute) ∪ U(comm)|
  PerPhase<Nanoseconds> device_by_phase{};  // union of the spans that the phase launched, within the window
  Nanoseconds device_backward_step = 0;     // the same for the phases of kBackwardStep …
  Nanoseconds device_total = 0;             // … and for all phases
  PerPhase<Nanoseconds> host_by_phase{};
  PerPhase<Nanoseconds> host_blocked{};  // the part of it behind the device; 0 where the rank has no device times
  uint32_t batches = 0;                  // inputs copied to the device, each with one or several consecutive copies
  int64_t batch_bytes = 0;               // of all of them
  uint32_t backward_passes = 0;          // that the framework marked
  LedgerRows inferred{};                 // the part of the idle rows that was inferred, not recorded
  ComputeWork work;                      // started in its device window
  uint64_t copied_bytes = 0;
  InputCopies input_copies;
  PerPrecision<double> flops{};               // of counted products that started in its device window
  PerPrecision<double> unclassified_flops{};  // those of them that are in unclassified graphs
  PerPrecision<double> repeated_flops{};      // those of them that recomputation repeats
  uint64_t graph_nodes = 0;                   // in graphs that ran without records of their nodes
  uint64_t conditional_nodes = 0;             // of these
  Nanoseconds gemm = 0;                       // the part of the ledger's compute in which their kernels ran
  StepHealth health;
  std::vector<LedgerCell> cells;  // exposed communication is added when it has been split
};

struct KernelTotal {
  uint32_t name = 0;  // index into RankTimeline::kernel_names
  SpanClass span_class = SpanClass::kUnclassified;
  uint64_t count = 0;
  Nanoseconds total = 0;
  Nanoseconds longest = 0;
  KnownWork work;
};

// The products of one function, shape and precision.
struct RankGemm {
  std::string function;
  GemmShape shape;
  Precision precision = Precision::kUnknown;
};
struct GemmTotal {
  uint32_t kind = 0;  // index into RankTimeline::gemm_kinds
  uint64_t count = 0;
  Nanoseconds total = 0;  // of their kernels
};

// Kernels that multiply matrices of unknown size.
struct UncountedTotal {
  uint32_t name = 0;  // index into RankTimeline::uncounted_names
  MatrixKernel kind = MatrixKernel::kNone;
  uint64_t count = 0;
  Nanoseconds total = 0;
};

// The cost of one source line: the time of the calls or pauses there, and the device time that the ledger charges to
// them.
struct SourceLineTotal {
  uint32_t source_line = 0;  // index into RankTimeline::source_line_names
  std::string call;          // the runtime's function; empty: between calls
  uint64_t count = 0;
  Nanoseconds total = 0;
  LedgerRows charged{};
};

// A range of the program around others: "forward".
struct PlaceNode {
  uint32_t parent = 0;       // index into RankTimeline::place_nodes; 0: outside of all ranges
  uint32_t name = kNoIndex;  // index into RankTimeline::place_names
};

// Time charged to a place in the program: inside a range, between two operators.
struct PlaceTotal {
  uint32_t node = 0;           // index into RankTimeline::place_nodes
  uint32_t before = kNoIndex;  // the operator before, index into RankTimeline::place_names; kNoIndex: none
  uint32_t after = kNoIndex;   // the operator after
  LedgerRows charged{};        // by the ledger
  LedgerRows spent{};          // by the host, whatever the device did meanwhile; launches only after a long silence
};

// The calls of one function.
struct CallTotal {
  uint32_t function = 0;  // index into RankTimeline::function_names
  CallClass call_class = CallClass::kOther;
  uint64_t count = 0;
  Nanoseconds total = 0;
  Nanoseconds shortest = 0;
  Nanoseconds longest = 0;
};

// The temporal breakdown and the overlap as HolisticTraceAnalysis defines them: its window, and microseconds.
struct HtaBreakdown {
  bool is_defined = false;
  int64_t kernel_time_us = 0;
  int64_t idle_time_us = 0;
  int64_t compute_time_us = 0;
  int64_t non_compute_time_us = 0;
  double overlap_percent = 0;
  bool has_overlap = false;
  // HTA itself keeps a step more: it takes GPU copies of ProfilerStep# without a stream, as AMD's traces have, for
  // steps of the host.
  bool is_a_step_short = false;
};

// A rank is timed if its log has device times. Of a rank that is not, only the host is known: its steps have no device
// windows, and its collectives are calls. Everything that is measured on devices looks at `collectives` and at steps
// with windows, and so at timed ranks only.
struct RankTimeline {
  int32_t rank = -1;
  int32_t world_size = 0;
  int32_t device = 0;
  std::vector<int32_t> united_with;  // further devices of the rank
  std::string file;
  std::string named_file;  // the same, as the user named it: of an imported log, the trace
  std::string host;
  std::string device_name;
  std::string source;  // preload, kineto …
  std::string command;
  std::string untimed_because;  // why it launched work and has no device times; empty: it is timed, or launched none
  std::map<std::string, std::string> versions;  // of libraries, by name
  std::map<std::string, std::string> settings;  // of the framework, by name: "loader.workers"
  StepOrigin steps_origin = StepOrigin::kNone;
  std::string steps_source;  // as in ProcessTrace; kByTime: slices of time instead of steps
  double steps_confidence = 0;
  std::string steps_reason;
  std::array<uint8_t, 16> boot_id{};
  log::Clock clock = log::Clock::kUnknown;
  bool has_realtime = false;
  Nanoseconds realtime_offset_ns = 0;
  ClockMap run_clock;  // makes its times comparable with those of other ranks
  ClockBasis clock_basis = ClockBasis::kShared;

  std::vector<RankStep> steps;
  size_t unwanted_steps = 0;  // left out, because they were recorded beside the wanted ones
  size_t steps_in_gaps = 0;   // left out, because some of their device times are missing
  OutsideSteps outside_steps;
  std::vector<RankCollective> collectives;  // by start
  SpentColumns spent;                       // when each of them started, and of the host when it launched it
  // Those without device times, as called, without start, end, and what was spent before them; by launch: all of a rank
  // that is not timed; of others, those in graphs whose nodes have no records.
  std::vector<RankCollective> untimed_collectives;
  // The operations of its process, for the replay, and which of its devices this is; null: it is not replayed.
  std::shared_ptr<ProcessOperations> operations;
  uint8_t operations_device = 0;
  std::string not_replayed_because;  // why it should be replayed and cannot be; empty: nothing keeps it

  std::vector<CommSlice> slices;  // until they are booked
  std::vector<uint32_t> slice_members;
  // One table for each leading step, which may turn out to be warm-up; then one for each stretch of the other steps
  // (metrics/kernels/kernel_totals.h).
  std::vector<std::vector<KernelTotal>> kernels;
  std::vector<std::string> kernel_names;
  // One table for each leading step; then one for all other steps.
  std::vector<std::vector<GemmTotal>> gemms;
  std::vector<RankGemm> gemm_kinds;
  std::vector<std::vector<UncountedTotal>> uncounted;  // the same tables
  std::vector<std::string> uncounted_names;
  std::vector<std::vector<SourceLineTotal>> source_lines;  // the same tables; none if no stacks were recorded
  std::vector<std::string> source_line_names;
  std::vector<std::vector<PlaceTotal>> places;  // the same tables; none if no ranges were recorded
  std::vector<PlaceNode> place_nodes;           // parents before what lies inside them
  std::vector<std::string> place_names;
  std::vector<std::vector<PathTotal>> paths;  // the same tables; none if nobody asked for them
  std::vector<PathNode> path_nodes;           // parents before what lies inside them
  std::vector<std::string> path_names;
  std::vector<std::vector<CallTotal>> call_totals;  // the same tables
  std::vector<std::string> function_names;
  std::map<uint64_t, std::string> communicator_names;  // by identity
  std::vector<CommunicatorOrigin> communicator_origins;
  std::string repeats_unknown_because;  // why nobody knows what recomputation repeats; empty: it is known
  HtaBreakdown hta;
  RankMemory memory;
  RankProgress progress;
  RecordingQuality quality;  // of the process; empty for its devices after the first
  uint64_t spans = 0;
  uint64_t calls = 0;  // of its process
  uint64_t unmatched_spans = 0;
  uint64_t clamped_latencies = 0;

  // When the rank arrived at a collective: on the run's clock, or, where that was split without clocks, how long before
  // it could move data. Either can be compared with the other members'.
  Nanoseconds arrival(const RankCollective& collective) const {
    return collective.is_split_without_clocks() ? -collective.wait() : run_clock.to_run(collective.start);
  }
  // How far clocks may put its waiting wrong.
  Nanoseconds uncertainty(const RankCollective& collective) const {
    return collective.is_split_without_clocks() ? 0 : run_clock.uncertainty_at(collective.start);
  }
  bool is_timed() const { return untimed_because.empty(); }
  // Of the rank, in order.
  std::vector<int32_t> devices() const {
    std::vector<int32_t> all = united_with;
    all.insert(std::upper_bound(all.begin(), all.end(), device), device);
    return all;
  }
  int32_t device_count() const { return 1 + static_cast<int32_t>(united_with.size()); }
};

// At most this many steps can be warm-up.
inline constexpr size_t kLeadingSteps = 16;

}  // namespace tauprof
