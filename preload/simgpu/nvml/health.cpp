// NVML for devices: clocks, power, temperature, utilization, memory.
#include <cmath>

#include "simgpu/nvml/state.h"

using namespace simgpu;

namespace {

// The memory that the driver reserves for itself.
constexpr unsigned long long kReservedBytes = 0;
constexpr double kShutdownTemperature = 92, kSlowdownTemperature = 87;

unsigned int rounded(double value) { return static_cast<unsigned int>(std::lround(value)); }

nvmlReturn_t give_clock(nvmlClockType_t type, int sm_mhz, int memory_mhz, unsigned int* out) {
  switch (type) {
    case NVML_CLOCK_GRAPHICS:
    case NVML_CLOCK_SM:
      *out = static_cast<unsigned int>(sm_mhz);
      return NVML_SUCCESS;
    case NVML_CLOCK_MEM:
      *out = static_cast<unsigned int>(memory_mhz);
      return NVML_SUCCESS;
    case NVML_CLOCK_VIDEO:
      return NVML_ERROR_NOT_SUPPORTED;
    default:
      return NVML_ERROR_INVALID_ARGUMENT;
  }
}

nvmlReturn_t give_power_limit(nvmlDevice_t device, unsigned int* milliwatts) {
  return with_device(device, milliwatts, [&](int) {
    *milliwatts = static_cast<unsigned int>(device_profile().power_limit_w) * 1000;
    return NVML_SUCCESS;
  });
}

}  // namespace

SIMGPU_API nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock) {
  return with_device(device, clock, [&](int physical) {
    const auto health = health_of(physical);
    return give_clock(type, health.sm_clock_mhz, health.memory_clock_mhz, clock);
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock) {
  return with_device(device, clock, [&](int) {
    return give_clock(type, device_profile().sm_clock_mhz, device_profile().memory_clock_mhz, clock);
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock) {
  return nvmlDeviceGetMaxClockInfo(device, type, clock);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* milliwatts) {
  return with_device(device, milliwatts, [&](int physical) {
    *milliwatts = rounded(health_of(physical).power_w * 1000);
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int* milliwatts) {
  return give_power_limit(device, milliwatts);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned int* milliwatts) {
  return give_power_limit(device, milliwatts);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int* milliwatts) {
  return give_power_limit(device, milliwatts);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                                 unsigned int* degrees) {
  return with_device(device, degrees, [&](int physical) {
    if (sensor != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
    *degrees = rounded(health_of(physical).temperature_c);
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t threshold,
                                                          unsigned int* degrees) {
  return with_device(device, degrees, [&](int) {
    if (threshold != NVML_TEMPERATURE_THRESHOLD_SHUTDOWN && threshold != NVML_TEMPERATURE_THRESHOLD_SLOWDOWN) {
      return NVML_ERROR_NOT_SUPPORTED;
    }
    const bool shutdown = threshold == NVML_TEMPERATURE_THRESHOLD_SHUTDOWN;
    *degrees = rounded(shutdown ? kShutdownTemperature : kSlowdownTemperature);
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization) {
  return with_device(device, utilization, [&](int physical) {
    const auto health = health_of(physical);
    utilization->gpu = rounded(health.busy_fraction * 100);
    utilization->memory = rounded(health.copy_fraction * 100);
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long* reasons) {
  return with_device(device, reasons, [&](int physical) {
    const auto health = health_of(physical);
    *reasons = nvmlClocksEventReasonNone;
    if (health.throttled) *reasons |= nvmlClocksEventReasonSwThermalSlowdown;
    if (health.busy_fraction == 0) *reasons |= nvmlClocksEventReasonGpuIdle;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long* reasons) {
  return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device, unsigned long long* reasons) {
  return with_device(device, reasons, [&](int) {
    *reasons = nvmlClocksEventReasonGpuIdle | nvmlClocksEventReasonSwThermalSlowdown;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device, unsigned long long* reasons) {
  return nvmlDeviceGetSupportedClocksEventReasons(device, reasons);
}

// Data-center GPUs stay in P0.
SIMGPU_API nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t* state) {
  return with_device(device, state, [&](int) {
    *state = NVML_PSTATE_0;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t device, nvmlPstates_t* state) {
  return nvmlDeviceGetPerformanceState(device, state);
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  return with_device(device, memory, [&](int physical) {
    const auto health = health_of(physical);
    memory->total = health.total_bytes;
    memory->used = health.used_bytes + kReservedBytes;
    memory->free = memory->total - memory->used;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
  return with_device(device, memory, [&](int physical) {
    if (memory->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    const auto health = health_of(physical);
    memory->total = health.total_bytes;
    memory->reserved = kReservedBytes;
    memory->used = health.used_bytes;
    memory->free = memory->total - memory->used - memory->reserved;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t* values) {
  return with_device(device, values, [&](int) {
    if (count < 1) return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < count; ++i) values[i].nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  return with_device(device, mode, [&](int) {
    *mode = NVML_FEATURE_ENABLED;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  return with_device(device, mode, [&](int) {
    *mode = NVML_COMPUTEMODE_DEFAULT;
    return NVML_SUCCESS;
  });
}

SIMGPU_API nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int* current, unsigned int* pending) {
  return with_device(device, current && pending ? current : nullptr, [&](int) {
    *current = *pending = NVML_DEVICE_MIG_DISABLE;
    return NVML_SUCCESS;
  });
}
