// Whether NVML is initialized in this process, and what its device handles mean.
#pragma once

#include <nvml.h>

#include <optional>

#include "simgpu/engine/device.h"

// The header renames these to their newest versions; all versions are defined here.
#undef nvmlInit
#undef nvmlDeviceGetPciInfo
#undef nvmlDeviceGetCount
#undef nvmlDeviceGetHandleByIndex
#undef nvmlDeviceGetHandleByPciBusId

extern "C" {
nvmlReturn_t nvmlInit(void);
nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t* info);
nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t* info);
nvmlReturn_t nvmlDeviceGetCount(unsigned int* count);
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t* device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char* bus_id, nvmlDevice_t* device);
}

namespace simgpu {

void enter_nvml();
bool leave_nvml();  // false: it was not initialized
bool is_nvml_initialized();

// NVML counts the machine's devices, regardless of CUDA_VISIBLE_DEVICES.
int physical_count();

nvmlDevice_t handle_of(int physical);
std::optional<int> physical_of(nvmlDevice_t handle);

// A device that this process does not use looks idle: the load of other processes is unknown here.
DeviceHealth health_of(int physical);

// Runs `action(physical index)` if NVML is initialized, the handle is valid and `out` is not null.
template <typename Action>
nvmlReturn_t with_device(nvmlDevice_t handle, const void* out, Action action) {
  if (!is_nvml_initialized()) return NVML_ERROR_UNINITIALIZED;
  const auto physical = physical_of(handle);
  if (!physical || !out) return NVML_ERROR_INVALID_ARGUMENT;
  return action(*physical);
}

// INSUFFICIENT_SIZE if the text and its final NUL do not fit.
nvmlReturn_t give_text(const char* text, char* out, unsigned int length);

}  // namespace simgpu
