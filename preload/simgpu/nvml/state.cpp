#include "simgpu/nvml/state.h"

#include <cstdint>
#include <cstring>
#include <mutex>

#include "simgpu/engine/call.h"
#include "simgpu/engine/config.h"

namespace simgpu {
namespace {

constexpr std::uintptr_t kHandleBase = 0x5b190000000;
constexpr double kIdleTemperature = 30;

std::mutex count_mutex;
int initializations = 0;  // nvmlInit counts its calls; the same number of nvmlShutdown undoes them

std::optional<int> driven_device(int physical) {
  if (is_forked_child()) return std::nullopt;
  for (int device = 0; device < device_count(); ++device) {
    if (physical_device(device) == physical) return device;
  }
  return std::nullopt;
}

DeviceHealth idle_health() {
  const auto& profile = device_profile();
  DeviceHealth health{};
  health.sm_clock_mhz = profile.sm_clock_mhz;
  health.memory_clock_mhz = profile.memory_clock_mhz;
  health.power_w = profile.idle_power_w;
  health.temperature_c = kIdleTemperature;
  health.total_bytes = profile.memory_bytes;
  return health;
}

}  // namespace

void enter_nvml() {
  const std::lock_guard lock(count_mutex);
  ++initializations;
}

bool leave_nvml() {
  const std::lock_guard lock(count_mutex);
  if (initializations == 0) return false;
  --initializations;
  return true;
}

bool is_nvml_initialized() {
  const std::lock_guard lock(count_mutex);
  return initializations > 0;
}

int physical_count() { return config().devices; }

nvmlDevice_t handle_of(int physical) {
  return reinterpret_cast<nvmlDevice_t>(kHandleBase + 16 * (static_cast<std::uintptr_t>(physical) + 1));
}

std::optional<int> physical_of(nvmlDevice_t handle) {
  for (int physical = 0; physical < physical_count(); ++physical) {
    if (handle_of(physical) == handle) return physical;
  }
  return std::nullopt;
}

DeviceHealth health_of(int physical) {
  const auto device = driven_device(physical);
  return device ? device_health(*device) : idle_health();
}

nvmlReturn_t give_text(const char* text, char* out, unsigned int length) {
  if (!out) return NVML_ERROR_INVALID_ARGUMENT;
  const std::size_t bytes = std::strlen(text) + 1;
  if (bytes > length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(out, text, bytes);
  return NVML_SUCCESS;
}

}  // namespace simgpu
