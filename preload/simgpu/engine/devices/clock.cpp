// A device's clock is the host's plus two slow sinusoids. Their slopes are far below one, so the sum never runs
// backwards.
#include "simgpu/engine/clock.h"

#include <time.h>

#include <cmath>
#include <numbers>

#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/settings/random_bits.h"

namespace simgpu {
namespace {

struct Swing {
  double share;  // of Config::wander
  double shortest_period_s, longest_period_s;
};
constexpr Swing kSwings[] = {{0.7, 20, 60}, {0.3, 4, 10}};

double swing_at(const Swing& swing, std::uint64_t key, double seconds) {
  const double period =
      swing.shortest_period_s + unit_interval(key) * (swing.longest_period_s - swing.shortest_period_s);
  const double phase = unit_interval(key + 1);
  return swing.share * std::sin(2 * std::numbers::pi * (seconds / period + phase));
}

}  // namespace

Nanoseconds host_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * Nanoseconds{1'000'000'000} + now.tv_nsec;
}

Nanoseconds device_time(int device, Nanoseconds host) {
  const double wander = static_cast<double>(config().wander);
  if (wander == 0) return host;
  const double seconds = static_cast<double>(host) * 1e-9;
  // All processes that use a device see the same clock.
  std::uint64_t key = mixed_bits(config().seed, static_cast<std::uint64_t>(physical_device(device)));
  double offset = 0;
  for (const Swing& swing : kSwings) offset += swing_at(swing, key += 2, seconds);
  return host + static_cast<Nanoseconds>(std::floor(wander * offset));
}

}  // namespace simgpu
