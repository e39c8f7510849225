// How the kernels on a device share its SMs, and what jitter and injections add to an operation's duration.
#include <algorithm>

#include "simgpu/engine/config.h"
#include "simgpu/engine/injection_window.h"
#include "simgpu/engine/timeline/timeline.h"

namespace simgpu {
namespace {

// A running kernel always keeps some SMs: resident blocks are not preempted.
constexpr double kLeastRate = 0.05;
// Communication never takes the whole device.
constexpr double kLeastForKernels = 0.2;

void settle(Operation& operation, Nanoseconds at) {
  if (at <= operation.updated) return;
  operation.remaining =
      std::max(0.0, operation.remaining - operation.rate * static_cast<double>(at - operation.updated));
  operation.updated = at;
}

double wanted_share(const Operation& operation) {
  const double least = 1.0 / device_profile().sm_count;
  return std::clamp(operation.request.work.sm_share, least, 1.0);
}

bool comes_before(const OperationRef& a, const OperationRef& b) {
  if (a->priority != b->priority) return a->priority < b->priority;  // in CUDA, lower numbers are more urgent
  return a->ready != b->ready ? a->ready < b->ready : a->id < b->id;
}

double slowness(int device, Nanoseconds at) {
  const Injection& injection = config().injection(device);
  double factor = injection.kernel_factor;
  for (const auto* windows : {&injection.throttles, &injection.slow_times}) {
    for (const Window& window : *windows) {
      if (open_until(window, at)) factor *= window.factor;
    }
  }
  return factor;
}

}  // namespace

double Timeline::leave_to_kernels(const DeviceState& device) const {
  double taken = 0;
  for (const auto& transfer : device.transfers) taken += transfer->request.work.sm_share;
  return std::max(kLeastForKernels, 1 - config().interference * taken);
}

// Returns the share that no running kernel wants.
double Timeline::share_kernels(DeviceState& device, Nanoseconds at) {
  double left = leave_to_kernels(device);
  for (const auto& kernel : device.kernels) {
    settle(*kernel, at);
    const double wanted = wanted_share(*kernel);
    const double given = std::min(wanted, left);
    left -= given;
    kernel->rate = std::max(kLeastRate, given / wanted);
  }
  return left;
}

void Timeline::start_waiting_kernels(DeviceState& device, Nanoseconds at) {
  const double least = 1.0 / device_profile().sm_count;
  double left = share_kernels(device, at);
  while (left >= least && !device.waiting_kernels.empty()) {
    const auto next = std::min_element(device.waiting_kernels.begin(), device.waiting_kernels.end(), comes_before);
    const OperationRef kernel = *next;
    device.waiting_kernels.erase(next);
    start(kernel, std::max(kernel->ready, at));
    device.kernels.insert(std::upper_bound(device.kernels.begin(), device.kernels.end(), kernel,
                                           [](const auto& a, const auto& b) { return a->priority < b->priority; }),
                          kernel);
    left = share_kernels(device, std::max(kernel->ready, at));
  }
}

Nanoseconds effective_duration(const Operation& operation, Nanoseconds at) {
  const SpanKind kind = operation.request.span.kind;
  double duration = static_cast<double>(operation.request.work.duration);
  if (duration <= 0) return 0;
  duration *= jitter_factor(operation.device, operation.id);
  if (kind == SpanKind::Kernel) duration *= slowness(operation.device, at);
  return std::max<Nanoseconds>(1, static_cast<Nanoseconds>(duration));
}

}  // namespace simgpu
