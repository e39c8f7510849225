// One step of a rank's host: a list of host operations and their device work, without times. The
// simulation runs it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "communicators.h"
#include "job_events.h"
#include "job_spec.h"

namespace tauprof::generator {

enum class Grouping : uint8_t {
  kNone,
  kCollectives,  // a group of `calls` collectives, executed as one
  kMessages,     // an all-to-all made of a send and a receive per member
};

enum class Action : uint8_t {
  kWork,          // the thread computes for `ns`
  kSleep,         // the thread is off the CPU for `ns`
  kPause,         // the same, with recording off
  kSwitchThread,  // to `thread`
  kPushRange,     // `name`, `phase`
  kPopRange,
  kSetDevice,
  kAllocate,  // takes `ns`
  kKernel,
  kFusedKernel,  // communicates and computes
  kGemm,
  kGraph,
  kMemset,
  kCopy,
  kBlockingCopy,
  kOrphan,  // device work without a recorded call
  kCollective,
  kEventRecord,  // `event` on `stream`
  kStreamWait,   // `stream` waits for `event`
  kStreamSync,
  kDeviceSync,
};

// Of a linear layer.
enum class LayerProduct : uint8_t { kForward, kInputGradient, kWeightGradient };

struct HostOp {
  Action action;
  Phase phase = Phase::kOther;
  bool has_phase = false;  // of ranges
  bool is_step_marker = false;
  uint8_t thread = 0;
  uint8_t stream = 0;
  LayerProduct product = LayerProduct::kForward;
  int event = 0;
  int64_t ns = 0;  // host time, or device time
  int64_t bytes = 0;
  std::string_view name = {};  // static
  log::CopyKind copy_kind = log::CopyKind::kUnknown;
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
  int role = 0;   // of the communicator
  int peer = -1;  // index of the root or peer in the communicator
  Grouping grouping = Grouping::kNone;
  int calls = 1;
};

// Replaces `program` by the operations of `rank` in `step`. `factor_ppm`: on the time of all kernels that compute.
void build_step(const JobSpec& spec, const Communicators& communicators, int rank, int step, int64_t factor_ppm,
                std::vector<HostOp>& program);

// Device work before the first and after the last step.
void build_before_steps(const JobSpec& spec, std::vector<HostOp>& program);
void build_after_steps(const JobSpec& spec, std::vector<HostOp>& program);

// The program uses the events 1 to this number.
int event_count(const std::vector<HostOp>& program);

}  // namespace tauprof::generator
