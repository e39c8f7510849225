// Whether NVML is initialised in this process, and what its device handles name.
#pragma once

#include <nvml.h>

#include <optional>

#include "simgpu/engine/device.h"

// The header renames these to their newest versions; here all of them are defined.
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
bool leave_nvml();  // false: it was not initialised
bool is_nvml_initialized();

// NVML counts the machine's devices, whatever CUDA_VISIBLE_DEVICES says.
int physical_count();

nvmlDevice_t handle_of(int physical);
std::optional<int> physical_of(nvmlDevice_t handle);

// A device that this process does not drive looks idle: another process's load is not known here.
DeviceHealth health_of(int physical);

// Does `action(physical index)` where NVML is initialised, the handle is valid and `out` is not null.
template <typename Action>
nvmlReturn_t with_device(nvmlDevice_t handle, const void* out, Action action) {
  if (!is_nvml_initialized()) return NVML_ERROR_UNINITIALIZED;
  const auto physical = physical_of(handle);
  if (!physical || !out) return NVML_ERROR_INVALID_ARGUMENT;
  return action(*physical);
}

// INSUFFICIENT_SIZE where the text and its end do not fit.
nvmlReturn_t give_text(const char* text, char* out, unsigned int length);

}  // namespace simgpu
