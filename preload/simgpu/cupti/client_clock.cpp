#include "simgpu/cupti/client_clock.h"

#include <cstdlib>
#include <ctime>

namespace simgpu::cupti {

void ClientClock::use(CUpti_TimestampCallbackFunc callback) {
  {
    const std::lock_guard lock(mutex_);
    callback_ = callback;
    first_.reset();
    last_.reset();
  }
  sample();
}

std::uint64_t ClientClock::now() {
  std::unique_lock lock(mutex_);
  const auto callback = callback_;
  lock.unlock();
  return read(callback);
}

std::uint64_t ClientClock::read(CUpti_TimestampCallbackFunc callback) {
  if (callback) return callback();
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

ClientClock::Sample ClientClock::tightest(CUpti_TimestampCallbackFunc callback) {
  Sample best{0, 0, INT64_MAX};
  for (int attempt = 0; attempt < 8; ++attempt) {
    const Nanoseconds before = host_now();
    const std::uint64_t client = read(callback);
    const Nanoseconds after = host_now();
    if (after - before >= best.width) continue;
    const Nanoseconds middle = before + (after - before) / 2;
    best = {middle, static_cast<std::int64_t>(client) - middle, after - before};
  }
  return best;
}

bool ClientClock::agree(const Sample& a, const Sample& b) {
  return std::llabs(a.offset - b.offset) <= a.width + b.width;
}

void ClientClock::sample() {
  std::unique_lock lock(mutex_);
  const auto callback = callback_;
  lock.unlock();
  const Sample sample = tightest(callback);
  lock.lock();
  if (callback != callback_) return;
  if (!first_ || (!callback && !agree(*first_, sample))) {
    first_ = sample;
  } else if (last_ || !agree(*first_, sample)) {
    last_ = sample;
  }
}

std::uint64_t ClientClock::convert(std::uint64_t host) {
  if (host == 0) return 0;
  const std::lock_guard lock(mutex_);
  if (!first_) return host;
  if (!last_) {
    const bool same_clock = std::llabs(first_->offset) <= first_->width;
    return same_clock ? host : host + static_cast<std::uint64_t>(first_->offset);
  }
  const double rate = double(last_->offset - first_->offset) / double(last_->host - first_->host);
  const double drift = rate * double(static_cast<Nanoseconds>(host) - first_->host);
  return host + static_cast<std::uint64_t>(first_->offset + static_cast<std::int64_t>(drift));
}

}  // namespace simgpu::cupti
