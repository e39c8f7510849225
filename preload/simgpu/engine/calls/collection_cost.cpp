#include "simgpu/engine/calls/collection_cost.h"

#include <time.h>

#include <atomic>
#include <cmath>
#include <mutex>

#include "simgpu/engine/call.h"
#include "simgpu/engine/calls/fork.h"
#include "simgpu/engine/calls/observation.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/settings/random_bits.h"

namespace simgpu {

Nanoseconds thread_cpu() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Nanoseconds{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

namespace {

bool is_simulated() { return simulation_has_started() && config().cupti_disturbs && !is_forked_child(); }

// Whether records are collected, or were until a moment ago that still counts.
bool is_charging(Nanoseconds now) {
  static constinit std::atomic<Nanoseconds> collected_at{INT64_MIN / 2};
  if (is_collecting()) {
    collected_at.store(now, std::memory_order_relaxed);
    return true;
  }
  return now - collected_at.load(std::memory_order_relaxed) < config().cupti_outlasts;
}

// The states follow each other from the start of the simulation, whether anything is collected or not.
class States {
 public:
  double factor_at(Nanoseconds now) {
    const std::lock_guard lock(mutex_);
    while (now >= end_) enter_next();
    return factor_;
  }

 private:
  void enter_next() {
    const auto rank = static_cast<std::uint64_t>(config().launcher_rank.value_or(0));
    const std::uint64_t key = mixed_bits(mixed_bits(config().seed, rank), ++number_);
    const Range &lengths = config().cupti_state_ns, &factors = config().cupti_factor;
    if (end_ == 0) end_ = simulation_start();
    end_ += static_cast<Nanoseconds>(lengths.low * std::pow(lengths.high / lengths.low, unit_interval(key)));
    factor_ = factors.low + (factors.high - factors.low) * unit_interval(key + 1);
  }

  std::mutex mutex_;
  std::uint64_t number_ = 0;
  Nanoseconds end_ = 0;
  double factor_ = 1;
};

double present_factor(Nanoseconds now) {
  static States& states = *new States;
  return is_charging(now) ? states.factor_at(now) : 1;
}

// Computes until the thread's CPU clock has advanced by `cost`, and notes where that was.
void spin(CallingThread& thread, Nanoseconds cpu, Nanoseconds cost) {
  const Nanoseconds until = cpu + cost;
  while (cpu < until) cpu = thread_cpu();
  thread.charged_until = cpu;
}

Nanoseconds scaled(Nanoseconds time, double factor) {
  return static_cast<Nanoseconds>(static_cast<double>(time) * factor);
}

}  // namespace

void charge_code_before_call(CallingThread& thread) {
  if (!is_simulated()) return;
  const Nanoseconds cpu = thread_cpu();
  const Nanoseconds computed = thread.charged_until > 0 ? cpu - thread.charged_until : 0;
  thread.has_launched = false;
  spin(thread, cpu, scaled(computed, present_factor(host_now()) - 1));
}

void charge_call(CallingThread& thread) {
  if (!is_simulated()) return;
  const Nanoseconds cpu = thread_cpu();
  const Nanoseconds computed = thread.charged_until > 0 ? cpu - thread.charged_until : 0;
  const Nanoseconds launch = thread.has_launched && is_collecting() ? config().cupti_launch : 0;
  spin(thread, cpu, scaled(computed, present_factor(host_now()) - 1) + launch);
}

Nanoseconds collection_pause() { return config().cupti_disturbs && is_collecting() ? config().cupti_pause : 0; }

}  // namespace simgpu
