// The launches of a process on a device, in the host's order.
//
// Steps without markers are found in this sequence. It holds the outermost calls that put work on one device (the
// busiest, if the process uses several) and the calls that block. Equal launches have equal symbols: the same kernel,
// operation or kind of copy, on the same side of the backward pass. Threads that only watch are left out.
//
// Example: copy H2D, embedding, gemm, …, loss | gemm', gemm', all-reduce (backward thread) | adam, adam, copy D2H, sync
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "classify/update_role.h"
#include "model/process_trace.h"

namespace tauprof {

// An update of the model among the launches of a process.
// Launches [first, end) of the sequence, with whatever lies between them.
struct Update {
  size_t first = 0;
  size_t end = 0;
};

enum class LaunchKind : uint8_t {
  kKernel,      // a kernel, a GEMM, a graph
  kInputCopy,   // host to device
  kReadback,    // device to host
  kMove,        // within or between devices
  kFill,        // memset; a kernel that clears gradients
  kCollective,  // an NCCL call
  kSync,        // blocks; launches nothing
};

struct Launch {
  int64_t start = 0;  // ns, of the call
  int64_t end = 0;
  uint32_t symbol = 0;  // dense, from 0
  LaunchKind kind = LaunchKind::kKernel;
  UpdateRole role = UpdateRole::kNone;  // the kernel's part in an update, by its name
  bool is_graph = false;                // a whole graph of kernels
  bool is_backward = false;             // made by a thread that launches backward passes
};

inline bool reads_or_waits(const Launch& launch) {
  return launch.kind == LaunchKind::kReadback || launch.kind == LaunchKind::kSync;
}

inline bool is_backward_work(const Launch& launch) { return launch.is_backward && launch.kind == LaunchKind::kKernel; }

struct LaunchSequence {
  std::vector<Launch> launches;  // by start
  uint32_t symbols = 0;          // number of different symbols
  bool has_backward_thread = false;
};

// Makes the sequence of launches, in which steps are searched, from a log.
LaunchSequence launch_sequence(const ProcessTrace& trace);

}  // namespace tauprof
