// The events of a simulated job and their observers: the simulation reports every call, span, range
// and collective once its times are known. The log and the truth file are two observers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "log/format.h"

namespace tauprof::generator {

enum class Phase : uint8_t {
  kOther,
  kDataloadWait,
  kHostToDevice,
  kForward,
  kBackward,
  kUnscaleClip,
  kOptimStep,
  kZeroGrad,
  kSyncGather,
};
std::string_view phase_name(Phase phase);

// Each device of a process has its own threads; the first device's main thread is the process's.
enum Thread : uint8_t { kMainThread = 0, kAutogradThread = 1, kThreads = 2 };
std::string thread_name(int device, int thread);  // `device`: among those of its process

enum Stream : uint8_t {
  kComputeStream = 0,
  kCopyStream = 1,
  kGradientStream = 2,
  kTensorStream = 3,
  kPipelineStream = 4,
  kStreams = 5,
};
int stream_number(int stream);  // as in device spans
// As in calls; the compute streams of all devices are the null stream.
int64_t stream_handle(int device, int stream);

enum class SpanClass : uint8_t { kCompute, kFused, kCommunication, kCopy, kUnclassified };
std::string_view span_class_name(SpanClass span_class);

// The meaning of a call for the ledger.
enum class CallRole : uint8_t {
  kLaunch,        // puts work on the device
  kBlockingCopy,  // puts work on the device and waits for it
  kSync,          // blocks until the device is done
  kStreamWait,    // makes a stream wait for an event
  kAllocation,    // allocates memory
  kOther,
};
std::string_view call_role_name(CallRole role);

struct HostCall {
  std::string_view function;
  CallRole role = CallRole::kOther;
  int thread = 0;
  int64_t start = 0;
  int64_t end = 0;
  int64_t correlation = 0;
  int stream = -1;  // Stream; -1: none
  int64_t event = 0;
  int64_t bytes = 0;
  log::CopyKind copy_kind = log::CopyKind::kUnknown;
  int64_t thread_cpu_ns = 0;  // 0: not read
  int64_t end_cpu_ns = 0;     // the same, when it had returned
  int step = -1;              // -1: outside every step
  Phase phase = Phase::kOther;

  log::Operation operation = log::Operation::kUnknown;  // known: this is a collective
  log::DataType datatype = log::DataType::kUnknown;
  int communicator = 0;  // Role in the rank's communicators
  int64_t sequence = 0;
  int64_t count = 0;
  int peer = -1;
  int64_t group = 0;  // 0: not in a group

  int64_t m = 0, n = 0, k = 0;  // m above 0: this is a matrix multiplication
  uint8_t transpose = 0;        // of one, as in the log
};

struct DeviceSpan {
  log::ActivityKind activity = log::ActivityKind::kKernel;
  SpanClass span_class = SpanClass::kCompute;
  std::string_view name;
  int stream = 0;
  int64_t start = 0;
  int64_t end = 0;
  int64_t correlation = 0;  // of the device activity
  int64_t launch = 0;       // correlation of the launching call, 0: none was recorded
  int64_t bytes = 0;
  log::CopyKind copy_kind = log::CopyKind::kUnknown;
  int64_t unit = -1;  // collective unit
  bool is_recorded = true;
};

struct HostRange {
  std::string_view name;
  int thread = 0;
  bool is_annotation = false;
  bool has_phase = false;
  Phase phase = Phase::kOther;
  int step_marker = -1;  // the step that this range marks
  int64_t start = 0;
  int64_t end = 0;
};

// The range's name in the log: as PyTorch writes it for annotations, else unchanged.
std::string range_text(const HostRange& range);

// One rank's share in a collective or message.
struct CollectivePart {
  int rank = 0;
  int64_t launch = 0;
  int64_t arrival = -1;
  int64_t end = -1;
};

struct CollectiveUnit {
  int64_t id = 0;
  std::string_view communicator;
  log::Operation operation = log::Operation::kUnknown;  // kSendReceive for a message
  log::DataType datatype = log::DataType::kUnknown;
  int64_t count = 0;
  int64_t sequence = 0;
  int size = 0;   // of the communicator
  int root = -1;  // index in parts: the root, or the sender
  std::vector<CollectivePart> parts;
};

class JobObserver {
 public:
  virtual ~JobObserver() = default;
  virtual void on_call(int rank, const HostCall& call) = 0;
  virtual void on_span(int rank, const DeviceSpan& span) = 0;
  virtual void on_range(int rank, const HostRange& range) = 0;
  virtual void on_collective(const CollectiveUnit& unit) = 0;
  virtual void on_step_end(int rank, int step, int64_t time, int64_t dropped_spans) = 0;
  virtual void on_recording_gap(int rank, int64_t start, int64_t end) = 0;
};

}  // namespace tauprof::generator
