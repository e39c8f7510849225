// Limits of a kernel's shape are those of every GPU since compute capability 8.0.
#include "simgpu/cupti/device_record.h"

#include <cstring>

#include "simgpu/engine/device.h"

namespace simgpu::cupti {
namespace {

void put_limits(DeviceRecord& record, bool hopper) {
  record.constantMemorySize = 64 << 10;
  record.numThreadsPerWarp = 32;
  record.maxWarpsPerMultiprocessor = 64;
  record.maxBlocksPerMultiprocessor = 32;
  record.maxSharedMemoryPerMultiprocessor = (hopper ? 228 : 164) << 10;
  record.maxSharedMemoryPerBlock = 48 << 10;
  record.maxRegistersPerMultiprocessor = 64 << 10;
  record.maxRegistersPerBlock = 64 << 10;
  record.maxThreadsPerBlock = 1024;
  record.maxBlockDimX = 1024;
  record.maxBlockDimY = 1024;
  record.maxBlockDimZ = 64;
  record.maxGridDimX = 0x7fffffff;
  record.maxGridDimY = 65535;
  record.maxGridDimZ = 65535;
}

}  // namespace

DeviceRecord device_record(int device) {
  const DeviceProfile& profile = device_profile();
  DeviceRecord record{};
  record.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  record.flags = CUPTI_ACTIVITY_FLAG_DEVICE_CONCURRENT_KERNELS;
  record.id = static_cast<std::uint32_t>(device);
  record.name = profile.name;  // shared by all records of the device, as in CUPTI
  record.globalMemoryBandwidth = static_cast<std::uint64_t>(profile.memory_bytes_per_s / 1000);
  record.globalMemorySize = profile.memory_bytes;
  record.coreClockRate = static_cast<std::uint32_t>(profile.sm_clock_mhz) * 1000;
  record.numMemcpyEngines = 3;
  record.numMultiprocessors = static_cast<std::uint32_t>(profile.sm_count);
  record.computeCapabilityMajor = static_cast<std::uint32_t>(profile.major);
  record.computeCapabilityMinor = static_cast<std::uint32_t>(profile.minor);
  const auto uuid = device_uuid(physical_device(device));
  std::memcpy(record.uuid.bytes, uuid.data(), uuid.size());
  record.isCudaVisible = 1;
  record.gpuInstanceId = UINT32_MAX;
  record.computeInstanceId = UINT32_MAX;
  put_limits(record, profile.major >= 9);
  return record;
}

}  // namespace simgpu::cupti
