#include "capture/telemetry/telemetry.h"

#include <dlfcn.h>
#include <string.h>

#include "capture/loader/loaded_library.h"
#include "capture/rows/log_text.h"

namespace tauprof::capture {

Telemetry telemetry;

namespace {

constexpr int kSmClock = 1;         // nvmlClockType_t
constexpr int kGpuTemperature = 0;  // nvmlTemperatureSensors_t

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(function_in(static_cast<const link_map*>(library), name));
  return function != nullptr;
}

}  // namespace

void Telemetry::open_library() {
  if (is_on_ && open_nvml()) __atomic_store_n(&has_nvml_, true, __ATOMIC_RELEASE);
}

// Ours, and never closed: it belongs to the driver, and the process may use it as well.
bool Telemetry::open_nvml() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return false;
  int (*init)();
  if (!find(library, "nvmlInit_v2", init) || !find(library, "nvmlDeviceGetHandleByUUID", get_handle_) ||
      !find(library, "nvmlDeviceGetClockInfo", get_clock_) || init() != 0)
    return false;
  find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", get_reasons_);
  find(library, "nvmlDeviceGetPowerUsage", get_power_);
  find(library, "nvmlDeviceGetTemperature", get_temperature_);
  find(library, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", get_gpu_);
  return true;
}

void Telemetry::watch(int device, const char* uuid) {
  if (!is_on_ || count_ == kMost) return;
  Device& watched = devices_[count_++];
  watched = {device, {}, nullptr, false};
  strncpy(watched.uuid, uuid, sizeof watched.uuid - 1);
}

void Telemetry::ask_for_handle(Device& device) const {
  void *handle = nullptr, *gpu = nullptr;
  device.was_asked = true;
  if (get_handle_(device.uuid, &handle) != 0) return;
  const bool is_instance = strncmp(device.uuid, "MIG-", 4) == 0 && get_gpu_ != nullptr && get_gpu_(handle, &gpu) == 0;
  device.handle = is_instance ? gpu : handle;
}

void Telemetry::write(log::Writer& writer, uint64_t now, int device, const char* metric, int64_t value) {
  log::Telemetry row{};
  row.time = static_cast<int64_t>(now);
  row.device = device;
  row.metric = intern(writer, metric);
  row.value = value;
  writer.append(row);
}

void Telemetry::write_devices(log::Writer& writer, uint64_t now) {
  if (!__atomic_load_n(&has_nvml_, __ATOMIC_ACQUIRE)) return;
  for (int i = 0; i < count_; ++i) {
    if (!devices_[i].was_asked) ask_for_handle(devices_[i]);
    if (devices_[i].handle == nullptr) continue;
    unsigned clock_mhz = 0, power_mw = 0, temperature_c = 0;
    unsigned long long reasons = 0;
    if (get_clock_(devices_[i].handle, kSmClock, &clock_mhz) == 0)
      write(writer, now, devices_[i].number, "sm_clock_mhz", clock_mhz);
    if (get_reasons_ != nullptr && get_reasons_(devices_[i].handle, &reasons) == 0)
      write(writer, now, devices_[i].number, "throttle_reasons", static_cast<int64_t>(reasons));
    if (get_power_ != nullptr && get_power_(devices_[i].handle, &power_mw) == 0)
      write(writer, now, devices_[i].number, "power_mw", power_mw);
    if (get_temperature_ != nullptr && get_temperature_(devices_[i].handle, kGpuTemperature, &temperature_c) == 0)
      write(writer, now, devices_[i].number, "temperature_c", temperature_c);
  }
}

void Telemetry::write_cpu_wait(log::Writer& writer, uint64_t now) {
  int64_t waited = 0;
  if (is_on_ && cpu_wait_.read(waited)) write(writer, now, -1, "cpu_wait_ns", waited);
}

}  // namespace tauprof::capture
