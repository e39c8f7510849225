#include "simgpu/engine/call.h"

#include <time.h>

#include <atomic>
#include <map>
#include <mutex>

#include "simgpu/engine/calls/calling_thread.h"
#include "simgpu/engine/calls/collection_cost.h"
#include "simgpu/engine/calls/fork.h"
#include "simgpu/engine/calls/observation.h"
#include "simgpu/engine/clock.h"
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

// Injected stalls of the host: the first call in a window blocks until the window ends.
//
// Called once per outermost call. Nearly free if no stall is injected.
void serve_host_stall() {
  if (!simulation_has_started() || !any_stall_configured() || is_forked_child()) return;
  const int device = current_device();
  const Nanoseconds now = host_now();
  const Nanoseconds until = claim_stall(device, now);
  if (until == 0) return;
  sleep_until(until);
  write_injection("stall_host", device, now, host_now());
}

constinit std::atomic<std::uint32_t> functions{0};
constinit std::atomic<std::uint32_t> correlations{0};

}  // namespace

ApiFunction::ApiFunction(const char* function_name, ApiDomain function_domain, std::uint32_t function_cbid)
    : name(function_name), domain(function_domain), cbid(function_cbid), index(functions.fetch_add(1)) {}

ApiCall::ApiCall(const ApiFunction& function, const void* parameters, const char* symbol) {
  CallingThread& thread = calling_thread();
  outer_ = thread.innermost;
  thread.innermost = this;
  record_.domain = function.domain;
  record_.thread = this_thread();
  if (outer_ == nullptr) {
    charge_code_before_call(thread);
    thread.outermost_function = &function;
    thread.outermost_nth = count_call(thread, function.index);
  }
  if (function.domain == ApiDomain::Library) {
    record_.correlation = thread.correlation;
    observed_ = false;
  } else {
    record_.correlation = correlations.fetch_add(1, std::memory_order_relaxed) + 1;
    observed_ = is_observed();
  }
  thread.correlation = record_.correlation;
  if (observed_) {
    record_.cbid = function.cbid;
    record_.function = function.name;
    record_.parameters = parameters;
    record_.symbol = symbol;
    record_.context = existing_context(current_device());
    record_.scratch = &scratch_;
    record_.start = host_now();
    notify_entered(record_);
  }
  if (outer_ == nullptr) serve_host_stall();
}

ApiCall::~ApiCall() {
  CallingThread& thread = calling_thread();
  if (outer_ == nullptr) charge_call(thread);
  if (observed_) {
    record_.end = host_now();
    record_.context = existing_context(current_device());
    notify_left(record_);
  }
  thread.innermost = outer_;
  thread.correlation = outer_ == nullptr ? 0 : outer_->record_.correlation;
  if (outer_ == nullptr) thread.outermost_function = nullptr;
}

CallSite current_call_site() {
  const CallingThread& thread = calling_thread();
  if (thread.outermost_function == nullptr) return {"", 0, this_thread()};
  return {thread.outermost_function->name, thread.outermost_nth, this_thread()};
}

std::uint32_t current_correlation() { return calling_thread().correlation; }

}  // namespace simgpu
