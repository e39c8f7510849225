// One process as recorded: its host calls, ranges and collectives, and what ran on its devices. read/ builds it;
// classify/ (span classes), steps/ and phases/ complete it. Times are on the log's own clock; ids and indices are valid
// within one ProcessTrace.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "log/format.h"
#include "model/code_stacks.h"
#include "model/framework_mark.h"
#include "model/gemm_work.h"
#include "model/graph_contents.h"
#include "model/launch_shape.h"
#include "model/names.h"
#include "model/operation_trace.h"
#include "model/phase.h"
#include "model/rank_memory.h"
#include "model/recorder_cost.h"
#include "model/time.h"

namespace tauprof {

inline constexpr uint32_t kNoIndex = std::numeric_limits<uint32_t>::max();
inline constexpr int32_t kNoStep = -1;

struct HostThread {
  int64_t os_id = 0;
  NameId name = kNoName;
  bool is_main = false;
};

// The effect of a host call on the device, as far as the ledger and the phases need it.
enum class CallClass : uint8_t {
  kOther,         // returns at once, launches nothing
  kKernel,        // launches a kernel or a graph
  kCopy,          // an asynchronous copy, or a memset
  kBlockingCopy,  // a copy that is done when the call returns
  kAwaitedCopy,   // an asynchronous copy whose call took until it was done, as from or to pageable memory
  kGemm,          // a call of cuBLAS or cuDNN that computes something
  kCollective,    // an NCCL call
  kGroupEnd,      // ncclGroupEnd: launches the calls of its group
  kSync,          // blocks until device work is done
  kStreamWait,    // makes a stream wait for an event
  kHostFunction,  // makes a stream wait for the host
  kAllocation,    // allocates, frees, registers, creates or destroys: memory, streams, events, graphs, modules, handles
};

inline bool launches_work(CallClass call) { return call >= CallClass::kKernel && call <= CallClass::kGroupEnd; }
constexpr bool is_copy(CallClass call) { return call >= CallClass::kCopy && call <= CallClass::kAwaitedCopy; }
constexpr bool blocks_host(CallClass call) {
  return call == CallClass::kSync || call == CallClass::kBlockingCopy || call == CallClass::kAwaitedCopy;
}

struct HostCall {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  int64_t stream = 0;  // the handle that the caller passed; 0: default stream, or not recorded
  uint64_t correlation = 0;
  NameId function = kNoName;
  uint32_t outer = kNoIndex;       // the call inside which this one was made, on the same thread
  uint32_t collective = kNoIndex;  // of kCollective: its record
  int32_t step = kNoStep;          // index into the process's steps
  uint16_t thread = 0;
  int16_t device = 0;  // the current device, or the device of the work that the call launched
  CallClass call_class = CallClass::kOther;
  Phase phase = Phase::kOther;
  bool is_input_copy = false;                         // copies from host to device
  log::CopyKind copy_kind = log::CopyKind::kUnknown;  // of copies, as passed to the call
};

// What a thread had computed by a moment, by its CPU clock: at the start of a call after a pause, or at a long call's
// end.
struct CpuReading {
  Nanoseconds time = 0;
  Nanoseconds cpu = 0;
  uint16_t thread = 0;
};

// A call that records an event or waits for one.
struct EventUse {
  uint32_t call = kNoIndex;
  int64_t event = 0;  // its handle
};

struct HostRange {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  NameId name = kNoName;
  NameId domain = kNoName;
  uint16_t thread = 0;
  log::RangeSource source = log::RangeSource::kUnknown;
  bool is_mark = false;
};

// A framework's range around the launch of a collective, with what it says of the inputs.
struct AnnotatedCollective {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  int64_t elements = 0;  // of the inputs; 0: not known
  uint16_t thread = 0;
  log::DataType datatype = log::DataType::kUnknown;
};

// An operator that autograd knows. One of a backward pass has the sequence number of the forward operator whose
// gradient it computes: of several, the last that started before it, since only that one was noted for the pass.
struct AutogradOperator {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  int64_t sequence = 0;
  int64_t forward_thread = 0;  // the framework's number of the forward operator's thread; 0: this is no backward pass
  uint16_t thread = 0;
};

// A collective or point-to-point call as its rank recorded it.
struct CollectiveCall {
  uint32_t call = kNoIndex;  // its host call, if that was recorded
  int64_t communicator = 0;  // key of ProcessTrace::communicators; 0: not known
  int64_t sequence = 0;      // from 1; 0: not known
  int64_t count = 0;         // elements, as passed to NCCL
  int64_t bytes_out = 0;     // bytes to other ranks, if they differ between ranks
  int64_t group = 0;         // calls of one NCCL group share it; 0: none
  int64_t stream = 0;
  int32_t peer = -1;  // root or peer; -1: none
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
  NameId algorithm = kNoName;  // as NCCL names it
};

struct Communicator {
  uint64_t identity = 0;         // the same on all its ranks; 0: not known
  uint64_t joined_identity = 0;  // on members that joined it by ncclCommGrow, as this one handed it out; 0: none
  int32_t size = 0;
  int32_t rank = -1;
  int32_t device = -1;  // in a process that drives several ranks: the device of this member
  int64_t parent = 0;   // key of ProcessTrace::communicators; 0: none
  uint64_t part = 0;    // which part of the parent, the same on all its ranks; 0: not known
  std::string name;
  std::string members;
};

// Where a communicator comes from, all by identity; 0: none.
struct CommunicatorOrigin {
  uint64_t identity = 0;
  uint64_t joined_identity = 0;
  uint64_t parent = 0;
  uint64_t part = 0;
};

// kFused: a kernel that communicates and computes at once.
enum class SpanClass : uint8_t { kCompute, kFused, kComm, kCopy, kUnclassified, kNotWork };
inline constexpr size_t kWorkClassCount = 5;

struct DeviceSpan {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  int64_t bytes = 0;
  NameId name = kNoName;
  uint32_t call = kNoIndex;        // the host call that launched it
  uint32_t collective = kNoIndex;  // the collective that it carries out
  uint32_t stream = 0;             // index into DeviceTrace::streams
  uint32_t launch_shape = 0;       // of a kernel: index into ProcessTrace::launch_shapes
  log::ActivityKind activity = log::ActivityKind::kUnknown;
  log::CopyKind copy_kind : 4 = log::CopyKind::kUnknown;
  log::HostMemory host_memory : 4 = log::HostMemory::kUnknown;  // of copies
  SpanClass span_class = SpanClass::kUnclassified;
  Phase phase = Phase::kOther;
};

// The bandwidth of a copy, where an imported trace gives another than bytes over duration.
struct CopyBandwidth {
  uint64_t correlation = 0;
  Nanoseconds start = 0;
  double gb_per_s = 0;
};

// When the channels of a collective's kernel synchronised and worked, as NCCL says, by the device's own timer.
struct KernelPhases {
  int64_t communicator = 0;  // key of ProcessTrace::communicators
  int64_t sequence = 0;
  Nanoseconds start = 0;   // of the first channel to start
  Nanoseconds opened = 0;  // the first channel had met the other ranks
  Nanoseconds end = 0;     // of the last channel to end
};

struct DeviceStream {
  int64_t context = 0;
  int64_t number = 0;
  int64_t handle = 0;   // as passed to calls; 0: not known, or the default stream's
  int32_t device = -1;  // of a rank with several devices; -1: the rank's only one
  bool is_default = false;
  bool takes_turns = false;  // work on it and on the default stream waits for each other
};

// One device of the process, or all those that make one rank (read/united_devices.h).
struct DeviceTrace {
  bool has(const Communicator& communicator) const { return communicator.device < 0 || communicator.device == device; }
  // Whether any work on it has device times.
  bool is_timed() const {
    return std::any_of(spans.begin(), spans.end(),
                       [](const DeviceSpan& span) { return span.span_class != SpanClass::kNotWork; });
  }

  // The device that a stream is of.
  int32_t device_of(const DeviceStream& stream) const { return stream.device >= 0 ? stream.device : device; }

  int32_t device = 0;
  std::vector<int32_t> united_with;  // further devices whose work this is, in order
  int32_t rank = -1;                 // -1: not known
  std::string name;
  int64_t memory_bytes = 0;  // 0: not known
  std::vector<DeviceStream> streams;
  std::vector<DeviceSpan> spans;     // by start
  std::vector<uint32_t> span_order;  // as ProcessTrace::call_order
  uint64_t unmatched_spans = 0;      // spans whose launch was not recorded
  uint64_t clamped_latencies = 0;    // spans that start before their launch
};

// A call that had not returned when the log was last written.
struct OpenCall {
  Nanoseconds start = 0;
  Nanoseconds as_of = 0;  // when it was still open
  NameId function = kNoName;
  int64_t communicator = 0;  // as in CollectiveCall; 0: not known
  int64_t sequence = 0;
  uint16_t thread = 0;
  uint32_t stack = kNoStack;  // index into CodeStacks::stacks
};

// A time in which the host was in one phase of a step.
struct PhaseSlice {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  Phase phase = Phase::kOther;
};

// A step starts here, as the recorder was told to mark it (TAUPROF_STEP_MARKER).
struct StepMark {
  Nanoseconds time = 0;
  uint16_t thread = 0;
};

// The program was in this step then, as PyTorch counted while it ran.
struct RecorderStep {
  Nanoseconds time = 0;
  int64_t number = 0;
};

// From here on, device times were taken or not, as the recorder says.
struct DeviceTimesChange {
  Nanoseconds time = 0;
  log::DeviceTimesState state = log::DeviceTimesState::kUnknown;
  int64_t step = -1;  // number of the step that starts here, as the recorder counts; -1: none, or not known
};

// A reading of a sensor. The name of the metric has the unit: "sm_clock_mhz".
struct TelemetryReading {
  Nanoseconds time = 0;
  int64_t value = 0;
  NameId metric = kNoName;
  int32_t device = -1;  // -1: the host
};

struct RecordingGap {
  Interval time;
  std::string scope;
  std::string reason;
};

// A step on the host.
struct HostStep {
  static constexpr Nanoseconds kNoExtra = std::numeric_limits<Nanoseconds>::max();
  int64_t number = 0;
  Nanoseconds start = 0;
  Nanoseconds end = 0;  // the start of the next step; of the last step: the end of its marker, or of the log
  Nanoseconds extra_start = kNoExtra;  // when extra work behind the step (an evaluation) starts
  Nanoseconds next_launch =
      0;                  // of the last step: when the next one, which is not analysed, was launched; 0: not known
  int32_t thread = -1;    // that trained in it; -1: not known
  bool is_wanted = true;  // false: it was recorded beside the wanted ones (TAUPROF_START_STEP, TAUPROF_STEPS)
  Nanoseconds own_start = kNoExtra;  // of several threads that train side by side: when its thread started it
  Nanoseconds updated = kNoExtra;    // when the update that ends it was over

  bool is_own(int32_t of_thread) const { return thread == of_thread && own_start != kNoExtra; }
};

// Who said where the steps are, from the surest to nobody.
enum class StepOrigin : uint8_t {
  kMarker,    // the user: TAUPROF_STEP_MARKER
  kPytorch,   // PyTorch's own marks
  kTrace,     // ranges or marks in the trace
  kInferred,  // the launched work
  kNone,      // slices of time
};

// A number in the log that no job can have.
struct ImplausibleValue {
  std::string what;
  int64_t value = 0;   // the first such number
  uint64_t count = 0;  // of rows
};

// A device whose clock was behind the host's: all its times were moved by this.
struct MovedDevice {
  int32_t device = 0;
  Nanoseconds by = 0;
};

struct RecordingQuality {
  uint64_t events = 0;
  uint64_t bytes = 0;
  uint64_t lost_records = 0;
  uint64_t lost_bytes = 0;
  uint64_t damaged_regions = 0;
  bool is_cut_short = false;
  std::map<std::string, uint64_t> dropped;     // by reason
  std::map<std::string, uint64_t> impossible;  // of these: with times that cannot be (read/possible_times.h)
  uint64_t dropped_device_work = 0;            // of all: records of kernels, copies and fills
  RecorderCost cost;
  std::vector<RecordingGap> gaps;
  std::vector<ImplausibleValue> implausible_values;
  std::vector<MovedDevice> moved_devices;

  // Whether every call since the recording started has its record; device work may lack its own.
  bool has_all_calls() const {
    uint64_t all_dropped = 0;
    for (const auto& [reason, count] : dropped) all_dropped += count;
    return gaps.empty() && lost_records == 0 && all_dropped == dropped_device_work;
  }
};

struct ProcessTrace {
  std::string file;
  std::string run_id;
  std::string host;
  std::array<uint8_t, 16> boot_id{};
  log::Clock clock = log::Clock::kUnknown;
  Nanoseconds realtime_offset_ns = 0;  // CLOCK_REALTIME − log clock; valid if has_realtime
  bool has_realtime = false;
  uint32_t process_id = 0;
  int32_t rank = -1;
  int32_t world_size = 0;
  std::map<std::string, std::string> attributes;

  // The product of a call; null: none, or not known.
  const GemmWork* gemm_of(uint32_t call) const {
    const uint32_t gemm = gemms.empty() ? kNoIndex : gemm_of_call[call];
    return gemm == kNoIndex ? nullptr : &gemms[gemm];
  }

  // Once `gemms` are by call.
  void index_gemms() {
    if (gemms.empty()) return;
    gemm_of_call.assign(calls.size(), kNoIndex);
    for (auto i = static_cast<uint32_t>(gemms.size()); i-- > 0;) gemm_of_call[gemms[i].call] = i;
  }

  // The contents of the graph that a call launches; null: it launches none, or nothing of it is known.
  const GraphContents* graph_of(uint32_t call) const {
    const auto found = std::lower_bound(graph_launches.begin(), graph_launches.end(), call,
                                        [](const GraphLaunch& launch, uint32_t index) { return launch.call < index; });
    return found != graph_launches.end() && found->call == call ? &graphs[found->graph] : nullptr;
  }

  Names names;
  std::vector<HostThread> threads;   // index = HostCall::thread
  std::vector<HostCall> calls;       // by thread, then start
  std::vector<uint32_t> call_order;  // the calls as recorded; empty unless it was asked for
  std::vector<uint32_t> first_call;  // of each thread, and one past the last
  std::vector<GemmKind> gemm_kinds;
  std::vector<GemmWork> gemms;         // by call
  std::vector<uint32_t> gemm_of_call;  // the index of each call's, kNoIndex: none; empty if there are none
  std::vector<LaunchShape> launch_shapes{1};  // of kernels; the first one: not known
  std::vector<GraphContents> graphs;
  std::vector<GraphLaunch> graph_launches;                 // by call
  std::vector<EventUse> event_uses;                        // by call; none if the log has no handles
  std::vector<CpuReading> cpu_readings;                    // by thread, then time; none in imported traces
  std::vector<HostRange> ranges;                           // by thread, then start, then longest first
  std::vector<uint32_t> range_order;                       // as call_order
  std::vector<FrameworkMark> marks;                        // the same
  std::vector<CollectiveCall> collectives;                 // in recorded order
  std::vector<AnnotatedCollective> annotated_collectives;  // by thread, then start, then longest first
  std::vector<AutogradOperator> autograd_operators;        // the same
  std::map<int64_t, Communicator> communicators;
  std::vector<DeviceTrace> devices;
  CodeStacks stacks;
  std::vector<OpenCall> open_calls;             // at most one per thread
  Nanoseconds last_alive = 0;                   // when the recorder last gave a sign of life; 0: never
  std::vector<TelemetryReading> telemetry;      // in recorded order
  std::vector<MemoryEvent> memory;              // by time
  std::vector<CopyBandwidth> bandwidths;        // by start
  std::vector<KernelPhases> kernel_phases;      // by communicator, then sequence
  std::vector<StepMark> step_marks;             // by time
  std::vector<RecorderStep> recorder_steps;     // by number
  std::vector<DeviceTimesChange> device_times;  // by time; empty: the recorder did not say
  OperationTrace operations;                    // of an imported operation trace; such a log holds nothing else
  std::vector<HostStep> steps;
  std::vector<PhaseSlice> phase_slices;  // they fill the steps; empty unless they were asked for
  StepOrigin steps_origin = StepOrigin::kNone;
  std::string steps_source;     // how the steps were found
  double steps_confidence = 0;  // how sure that is, 0 to 1
  std::string steps_reason;     // why, in words
  RecordingQuality quality;
};

}  // namespace tauprof
