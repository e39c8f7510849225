// How busy the devices were recently, and the clocks, power and temperature that follow from it.
#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/devices/device_activity.h"
#include "simgpu/engine/injection_window.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;

// The length of a union of intervals, per slice of time. Intervals arrive roughly in the order of their starts, so the
// part before the end of an earlier interval has been counted already.
class BusyMeter {
 public:
  void add(Nanoseconds start, Nanoseconds end) {
    start = std::max({start, counted_until_, end - 2 * kSecond});
    counted_until_ = std::max(counted_until_, end);
    while (start < end) {
      const Nanoseconds number = start / kSlice;
      const Nanoseconds part = std::min(end, (number + 1) * kSlice) - start;
      Slice& slice = slices_[static_cast<std::size_t>(number) % slices_.size()];
      if (slice.number != number) slice = {number, 0};
      slice.busy += part;
      start += part;
    }
  }

  double fraction_of_last_second(Nanoseconds now) const {
    Nanoseconds busy = 0;
    for (const Slice& slice : slices_)
      if (slice.number > (now - kSecond) / kSlice && slice.number <= now / kSlice) busy += slice.busy;
    return std::min(1.0, static_cast<double>(busy) / static_cast<double>(kSecond));
  }

 private:
  static constexpr Nanoseconds kSlice = kSecond / 32;
  struct Slice {
    Nanoseconds number = -1;
    Nanoseconds busy = 0;
  };
  std::array<Slice, 64> slices_;
  Nanoseconds counted_until_ = 0;
};

struct Meters {
  BusyMeter kernels, copies;
};

std::mutex& meters_lock() {
  static std::mutex lock;
  return lock;
}

Meters& meters_of(int device) {
  static auto& meters = *new std::map<int, Meters>;
  return meters[device];
}

double throttle_factor(int device, Nanoseconds now) {
  for (const Window& window : config().injection(device).throttles)
    if (open_until(window, now)) return window.factor;
  return 1;
}

}  // namespace

void note_busy(int device, bool copy, Nanoseconds start, Nanoseconds end) {
  const std::lock_guard guard(meters_lock());
  Meters& meters = meters_of(device);
  (copy ? meters.copies : meters.kernels).add(start, end);
}

DeviceHealth device_health(int device) {
  const Nanoseconds now = host_now();
  const DeviceProfile& profile = device_profile();
  DeviceHealth health{};
  {
    const std::lock_guard guard(meters_lock());
    health.busy_fraction = meters_of(device).kernels.fraction_of_last_second(now);
    health.copy_fraction = meters_of(device).copies.fraction_of_last_second(now);
  }
  const double slowdown = throttle_factor(device, now);
  health.throttled = slowdown > 1;
  health.sm_clock_mhz = static_cast<int>(profile.sm_clock_mhz / slowdown);
  health.memory_clock_mhz = profile.memory_clock_mhz;
  const double load = 0.9 * health.busy_fraction + 0.1 * health.copy_fraction;
  health.power_w = profile.idle_power_w + (profile.power_limit_w - profile.idle_power_w) * load / slowdown;
  // A throttled device has reached its temperature limit.
  constexpr double kIdleTemperature = 30, kLoadedTemperature = 68, kLimitTemperature = 87;
  health.temperature_c =
      health.throttled ? kLimitTemperature : kIdleTemperature + (kLoadedTemperature - kIdleTemperature) * load;
  const MemoryInfo memory = memory_info(device);
  health.total_bytes = memory.total_bytes;
  health.used_bytes = memory.total_bytes - memory.free_bytes;
  return health;
}

}  // namespace simgpu
