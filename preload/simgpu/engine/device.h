// The devices: what they can do, which one a thread uses, which have failed.
#pragma once

#include <driver_types.h>

#include <array>
#include <cstdint>

#include "simgpu/engine/clock.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

enum class MathType : std::uint8_t { Fp64, Fp32, Tf32, Half, Fp8, Int8 };  // Half: fp16 and bf16 alike

// A GPU model by its published figures.
struct DeviceProfile {
  const char* name;  // as cudaDeviceProp::name has it
  int major, minor;  // compute capability
  int sm_count;
  std::uint64_t memory_bytes;
  double memory_bytes_per_s;
  std::array<double, 6> dense_flops;  // per second, by MathType; on tensor cores where they apply
  double pinned_copy_bytes_per_s;     // host link, one direction
  double pageable_copy_bytes_per_s;
  double peer_copy_bytes_per_s;
  double collective_bytes_per_s;        // β: bus bandwidth of NCCL within a node
  Nanoseconds collective_step_latency;  // α
  int sm_clock_mhz;
  int memory_clock_mhz;
  int power_limit_w;
  int idle_power_w;
};

SIMGPU_API const DeviceProfile& device_profile();  // the one named by the configuration

// The devices that CUDA_VISIBLE_DEVICES leaves. `physical_device` gives the index on the machine, which NVML uses.
SIMGPU_API int device_count();
inline bool is_device(int device) { return device >= 0 && device < device_count(); }
SIMGPU_API int physical_device(int device);
SIMGPU_API std::array<unsigned char, 16> device_uuid(int physical);

// The driver serves calls once it is initialised: by the program with cuInit, or by the runtime with any call.
SIMGPU_API void initialize_driver();
SIMGPU_API bool is_driver_initialized();

SIMGPU_API int current_device();  // of the calling thread, 0 at first
SIMGPU_API cudaError_t set_current_device(int device);

// Contexts are made at the first use of a device and numbered from 1.
SIMGPU_API std::uint32_t context_of(int device);
// 0 if there is none yet.
SIMGPU_API std::uint32_t existing_context(int device);

// A sticky error: once set, every call that uses the device returns it until the process ends.
SIMGPU_API cudaError_t device_error(int device);
SIMGPU_API void set_device_error(int device, cudaError_t error);

// NVML's readings of a device that this process uses.
struct DeviceHealth {
  int sm_clock_mhz;
  int memory_clock_mhz;
  double power_w;
  double temperature_c;
  bool throttled;        // an injected throttle is active now
  double busy_fraction;  // time with at least one kernel, over the last second
  double copy_fraction;
  std::uint64_t used_bytes;
  std::uint64_t total_bytes;
};
SIMGPU_API DeviceHealth device_health(int device);

}  // namespace simgpu
