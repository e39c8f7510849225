// An interval of work on a device, as the observer and the truth see it.
#pragma once

#include <cstdint>

#include "simgpu/engine/clock.h"

namespace simgpu {

enum class SpanKind : std::uint8_t {
  None,  // nothing runs: event records, waits, host functions, empty graph nodes
  Kernel,
  Collective,  // a kernel of NCCL
  Memcpy,
  Memset,
  Graph,  // a whole graph launch, from its first node's start to its last node's end; nodes have spans of their own
};

enum class MemoryKind : std::uint8_t { Pageable, Pinned, Device, Managed };
enum class CopyDirection : std::uint8_t { HostToDevice, DeviceToHost, DeviceToDevice, HostToHost, PeerToPeer };

struct KernelShape {
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t registers_per_thread = 0;
};

// The call of the program that an operation belongs to: the n-th call (from 1) of this function on this thread. This is
// the outermost call: a kernel launched by cublasSgemm belongs to cublasSgemm.
struct CallSite {
  const char* function = "";  // static
  std::uint32_t nth = 0;
  std::int32_t thread = 0;  // gettid
};

// The facts known when the operation is submitted.
struct SpanDescription {
  SpanKind kind = SpanKind::None;
  const char* name = "";  // interned (see interned_name), mangled as the compiler has it
  KernelShape shape;
  CopyDirection direction = CopyDirection::HostToDevice;
  MemoryKind source = MemoryKind::Device;
  MemoryKind destination = MemoryKind::Device;
  bool is_async = false;
  std::uint8_t set_value = 0;
  std::uint64_t bytes = 0;
  int peer_device = -1;  // the destination of a peer copy

  // submit() fills these if they are zero.
  int device = 0;
  std::uint32_t context = 0;
  std::uint32_t stream = 0;
  std::uint32_t correlation = 0;
  CallSite call;

  std::uint32_t graph = 0;       // the executable graph; 0: none
  std::uint64_t graph_node = 0;  // 0: none
};

struct Span {
  std::uint64_t id = 0;  // unique in the process, in the order of submission
  SpanDescription what;
  Nanoseconds submitted = 0;  // host time
  Nanoseconds start = 0;      // host time
  Nanoseconds end = 0;
  Nanoseconds device_start = 0;  // device time: what a profiler may see
  Nanoseconds device_end = 0;
};

}  // namespace simgpu
