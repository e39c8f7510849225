// Reads the devices' sensors four times a second, and how long the process waits for a CPU ten times a second. The
// readings say why a rank is slow where its calls and kernels alone do not.
//
//   sm_clock_mhz, throttle_reasons, power_mw, temperature_c   of each device, from NVML if the process can load it
//   cpu_wait_ns   total time for which the launching threads were ready to run but had no CPU
#pragma once

#include <stdint.h>

#include "capture/telemetry/cpu_wait.h"
#include "log/writer.h"

namespace tauprof::capture {

class Telemetry {
 public:
  void switch_on() { is_on_ = true; }  // before the writer thread starts; without it nothing is read
  // Opens NVML, if it is there. Once, on a thread that may wait for the loader.
  void open_library();
  // Reads this device, too, from now on, as soon as NVML is open. `uuid` as NVML writes it. The instances of a divided
  // GPU (MIG) have no clock of their own: for them, the GPU's is read. This and what follows is for the writer thread.
  void watch(int device, const char* uuid);
  void write_devices(log::Writer& writer, uint64_t now);
  void write_cpu_wait(log::Writer& writer, uint64_t now);

 private:
  static constexpr int kMost = 16;
  struct Device {
    int number;
    char uuid[48];
    void* handle;  // NVML's; null: not asked for yet, or not given
    bool was_asked;
  };
  bool open_nvml();
  void ask_for_handle(Device& device) const;
  void write(log::Writer& writer, uint64_t now, int device, const char* metric, int64_t value);

  bool is_on_;
  CpuWait cpu_wait_;
  Device devices_[kMost];
  int count_;
  bool has_nvml_;
  int (*get_handle_)(const char*, void**);
  int (*get_gpu_)(void*, void**);  // that a MIG instance is a part of; may be missing
  int (*get_clock_)(void*, int, unsigned*);
  int (*get_reasons_)(void*, unsigned long long*);  // this and what follows may be missing
  int (*get_power_)(void*, unsigned*);
  int (*get_temperature_)(void*, int, unsigned*);
};

extern Telemetry telemetry;

}  // namespace tauprof::capture
