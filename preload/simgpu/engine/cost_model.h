// How long an operation takes on an idle device, before jitter, contention and injections.
//
// Kernels: the first line of the cost table whose glob matches the demangled name decides. A line gives a fixed time,
// bytes per thread and FLOPs per thread:
//   duration = max(fixed, threads · bytes_per_thread / memory bandwidth, threads · flops_per_thread / peak)
// or takes the duration in nanoseconds from a 64-bit kernel argument (a kernel that spins for a given time).
// The user's table (SIMGPU_OPTIONS costs=FILE) comes before the built-in one. A line is
//   GLOB  fixed_us=X bytes_per_thread=X flops_per_thread=X argument_ns=INDEX
// GEMMs: a roofline over shape and type, in whole waves of 128 × 256 tiles over the SMs.
// Copies: a fixed start plus bytes over the link's bandwidth.
#pragma once

#include <cstdint>

#include "simgpu/engine/device.h"
#include "simgpu/engine/span.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

enum class Resource : std::uint8_t {
  None,      // takes no time and no share of the device
  Compute,   // SMs: kernels share them, first come, first served
  Transfer,  // NCCL: always gets its SMs and slows down the kernels that run at the same time
  CopyIn,    // the host-to-device copy engine: one at a time
  CopyOut,
  CopyPeer,
};

struct Work {
  Resource resource = Resource::None;
  Nanoseconds duration = 0;
  double sm_share = 0;  // the share of the device's SMs that it can fill, 0 to 1
};

struct GemmShape {
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
  MathType math = MathType::Fp32;
  int element_bytes = 4;
};

// `arguments` as for cudaLaunchKernel; may be null.
SIMGPU_API Work kernel_work(const char* mangled_name, const KernelShape& shape, void** arguments);
SIMGPU_API Work gemm_work(const GemmShape& shape);
SIMGPU_API Work copy_work(CopyDirection direction, bool pageable, std::uint64_t bytes);
SIMGPU_API Work memset_work(std::uint64_t bytes);

// A factor around 1 with the configured jitter. The same seed, rank and number give the same factor.
double jitter_factor(int device, std::uint64_t number);

}  // namespace simgpu
