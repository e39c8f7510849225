// The truth: what really happened on the simulated devices, a file per process.
//
// If SIMGPU_TRUTH names a directory (created if missing), each process that uses a device writes DIR/truth-<pid>.tsv.
// The file is mapped, so that its lines survive a SIGKILL. Fields are separated by tabs; text fields escape tab,
// newline and backslash. The first field is the kind of line; docs/simulator.md describes the columns:
//
//   simgpu-truth 1                                       first line
//   process pid rank_or_minus1 host start_ns
//   name    id text                                      before its first use
//   span    id kind name_id device context stream correlation thread function_name_id nth submitted start end
//           device_start device_end bytes detail graph graph_node
//   collective span_id comm_name_id rank ranks seq op peer bytes arrival ready end thread function_name_id nth
//   announce what index begin|end thread time            what the program announced (simgpu.h)
//   inject  what device start end                        an injection that struck
//   end     time                                         an orderly exit
//
// The kind of a span is kernel, collective, memcpy, memset or graph. Its detail is GRID/BLOCK as x,y,z/x,y,z for
// kernels, DIRECTION:FROM:TO:PEER_DEVICE for copies (HostToDevice:Pinned:Device:-1), the value for memsets, and -
// otherwise. After a SIGKILL the file ends with NUL bytes where nothing was written.
//
// Times are CLOCK_MONOTONIC nanoseconds, except device_start and device_end (see clock.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "simgpu/engine/span.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

// NCCL's report about a collective, send or receive on this rank once it is over.
struct CollectiveTruth {
  std::uint64_t span = 0;         // of the kernel that ran it
  const char* communicator = "";  // interned; the same text on all its ranks
  int rank = 0, ranks = 0;
  std::uint64_t sequence = 0;  // from 0; of this communicator's collectives, or of sends or receives with this peer
  const char* operation = "";  // interned: AllReduce, Send …
  int peer = -1;               // of Send and Recv; the root of a rooted operation
  std::uint64_t bytes = 0;     // as nccl-tests count an operation's size
  Nanoseconds arrival = 0;     // this rank's device reached it
  Nanoseconds ready = 0;       // the last rank that it had to wait for reached it
  Nanoseconds end = 0;
  CallSite call;  // the ncclX call, even if a group launched it
};

// No-ops if no truth is written. Thread-safe.
SIMGPU_API void write_truth(const Span& span);
SIMGPU_API void write_truth(const CollectiveTruth& collective);
SIMGPU_API void write_injection(std::string_view what, int device, Nanoseconds start, Nanoseconds end);

// Called at the first use of a device: opens the truth file if one is wanted, and has it closed at exit. Idempotent.
void open_truth();
void write_announcement(std::string_view what, std::int64_t index, bool is_start);

}  // namespace simgpu
