// The GPU models, by their data sheets. Bandwidths between GPUs and to the host are those that benchmarks reach, not
// raw link rates.
#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

constexpr DeviceProfile kH200{
    .name = "NVIDIA H200 (simulated)",
    .major = 9,
    .minor = 0,
    .sm_count = 132,
    .memory_bytes = 143771 * kMiB,
    .memory_bytes_per_s = 4.8e12,
    .dense_flops = {67e12, 67e12, 494.7e12, 989.4e12, 1978.9e12, 1978.9e12},
    .pinned_copy_bytes_per_s = 55e9,
    .pageable_copy_bytes_per_s = 12e9,
    .peer_copy_bytes_per_s = 400e9,
    .collective_bytes_per_s = 370e9,
    .collective_step_latency = 2000,
    .sm_clock_mhz = 1980,
    .memory_clock_mhz = 3201,
    .power_limit_w = 700,
    .idle_power_w = 75,
};

constexpr DeviceProfile kH100 = [] {
  DeviceProfile profile = kH200;
  profile.name = "NVIDIA H100 80GB HBM3 (simulated)";
  profile.memory_bytes = 81559 * kMiB;
  profile.memory_bytes_per_s = 3.35e12;
  profile.memory_clock_mhz = 2619;
  profile.idle_power_w = 70;
  return profile;
}();

constexpr DeviceProfile kA100{
    .name = "NVIDIA A100-SXM4-80GB (simulated)",
    .major = 8,
    .minor = 0,
    .sm_count = 108,
    .memory_bytes = 81920 * kMiB,
    .memory_bytes_per_s = 2.039e12,
    .dense_flops = {19.5e12, 19.5e12, 156e12, 312e12, 312e12, 624e12},  // no fp8 tensor cores: fp16 instead
    .pinned_copy_bytes_per_s = 25e9,
    .pageable_copy_bytes_per_s = 9e9,
    .peer_copy_bytes_per_s = 270e9,
    .collective_bytes_per_s = 230e9,
    .collective_step_latency = 2500,
    .sm_clock_mhz = 1410,
    .memory_clock_mhz = 1593,
    .power_limit_w = 400,
    .idle_power_w = 55,
};

}  // namespace

const DeviceProfile& device_profile() {
  if (config().profile == "H100") return kH100;
  return config().profile == "A100" ? kA100 : kH200;
}

}  // namespace simgpu
