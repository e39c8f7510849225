#include "capture/telemetry/telemetry.h"

#include <dlfcn.h>
#include <string.h>

#include "capture/rows/log_text.h"

namespace tauprof::capture {

Telemetry telemetry;

namespace {

constexpr int kSmClock = 1;         // nvmlClockType_t
constexpr int kGpuTemperature = 0;  // nvmlTemperatureSensors_t

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

// The library is never unloaded: it belongs to the driver, and the process may use it as well.
bool Telemetry::find_nvml() {
  if (nvml_ != 0) return nvml_ > 0;
  nvml_ = -1;
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
  nvml_ = 1;
  return true;
}

void Telemetry::watch(int device, const char* uuid) {
  void *handle = nullptr, *gpu = nullptr;
  if (!is_on_ || count_ == kMost || !find_nvml() || get_handle_(uuid, &handle) != 0) return;
  const bool is_instance = strncmp(uuid, "MIG-", 4) == 0 && get_gpu_ != nullptr && get_gpu_(handle, &gpu) == 0;
  devices_[count_++] = {device, is_instance ? gpu : handle};
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
  if (!is_on_) return;
  for (int i = 0; i < count_; ++i) {
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
