#include "simgpu/engine/calls/host_stall.h"

#include <time.h>

#include <map>
#include <mutex>

#include "simgpu/engine/call.h"
#include "simgpu/engine/calls/fork.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/injection_window.h"
#include "simgpu/engine/truth.h"

namespace simgpu {
namespace {

bool any_stall_configured() {
  static const bool any = [] {
    for (const auto& [rank, injection] : config().injections)
      if (!injection.host_stalls.empty()) return true;
    return false;
  }();
  return any;
}

void sleep_until(Nanoseconds host) {
  const timespec deadline{host / 1'000'000'000, host % 1'000'000'000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) != 0) {
  }
}

// The end of this rank's stall that is due now; 0: none, or another thread serves it.
Nanoseconds claim_stall(int device, Nanoseconds now) {
  static std::mutex lock;
  static auto& served_until = *new std::map<const Window*, Nanoseconds>;
  const std::lock_guard guard(lock);
  for (const Window& window : config().injection(device).host_stalls) {
    const auto until = open_until(window, now);
    if (!until || *until <= served_until[&window]) continue;
    served_until[&window] = *until;
    return *until;
  }
  return 0;
}

}  // namespace

void serve_host_stall() {
  if (!simulation_has_started() || !any_stall_configured() || is_forked_child()) return;
  const int device = current_device();
  const Nanoseconds now = host_now();
  const Nanoseconds until = claim_stall(device, now);
  if (until == 0) return;
  sleep_until(until);
  write_injection("stall_host", device, now, host_now());
}

}  // namespace simgpu
