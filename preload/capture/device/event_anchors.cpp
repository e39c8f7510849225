// The anchors of EventTiming: when an event that the writer thread records now and then passed on the host's clock.
#include <algorithm>
#include <utility>

#include "capture/base/clock.h"
#include "capture/device/event_timing.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kAnchorIntervalNs = 1'000'000'000;
constexpr uint64_t kAnchorPatienceNs = 200'000;
constexpr uint64_t kLastPatienceNs = 20'000'000;  // other processes may have the device

}  // namespace

// The time at which the pair's first event passed, on the host's clock.
int64_t EventTiming::place(Device& device, float to_start, uint64_t recorded) const {
  const auto distance = static_cast<int64_t>(static_cast<double>(to_start) * kNanosecondsAMillisecond);
  const int64_t early = static_cast<int64_t>(recorded) - static_cast<int64_t>(device.anchor_ns) - distance;
  if (early > 0 && device.slack_ns != 0) {
    const uint64_t later = std::min(static_cast<uint64_t>(early), device.slack_ns);
    device.anchor_ns += later;
    device.slack_ns -= later;
  }
  return static_cast<int64_t>(device.anchor_ns) + distance;
}

bool EventTiming::has_anchor(uint8_t number, uint64_t now) {
  Device& device = devices_[number];
  const uint32_t resets = __atomic_load_n(&device.resets, __ATOMIC_ACQUIRE);
  if (device.anchor_resets != resets || device.stream == nullptr) {
    if (!make_anchor_events(device)) return false;
    device.anchor_resets = resets;
  }
  const bool is_urgent = is_last_ && device.anchor_ns == 0;
  if (device.next_recorded_ns != 0) {
    if (device.followed_at != now) follow_anchor(device, is_urgent ? kLastPatienceNs : 0);
    device.followed_at = now;
  } else if (device.anchor_ns == 0 || now >= device.anchored_at + kAnchorIntervalNs) {
    device.anchored_at = device.followed_at = now;
    device.next_recorded_ns = now_ns();
    if (cudaEventRecord_(device.next_anchor, device.stream) == cudaSuccess)
      follow_anchor(device, is_urgent ? kLastPatienceNs : kAnchorPatienceNs);
    else
      device.next_recorded_ns = 0;
  }
  return device.anchor_ns != 0;
}

bool EventTiming::make_anchor_events(Device& device) {
  device.anchor_ns = device.next_recorded_ns = 0;
  if (cudaStreamCreateWithFlags_(&device.stream, cudaStreamNonBlocking) == cudaSuccess &&
      cudaEventCreateWithFlags_(&device.anchor, cudaEventDefault) == cudaSuccess &&
      cudaEventCreateWithFlags_(&device.next_anchor, cudaEventDefault) == cudaSuccess)
    return true;
  device.stream = nullptr;
  return false;
}

void EventTiming::follow_anchor(Device& device, uint64_t patience_ns) {
  const uint64_t from = now_ns();
  cudaError_t state;
  uint64_t seen;
  do {
    state = cudaEventQuery_(device.next_anchor);
    seen = now_ns();
  } while (state == cudaErrorNotReady && seen <= from + patience_ns);
  if (state == cudaSuccess) take_anchor(device, seen);
  if (state != cudaErrorNotReady) device.next_recorded_ns = 0;
}

// The new anchor passed between `recorded` and `seen`. If that is close, it is in the middle; otherwise it is where the
// one before says, within these bounds, or as early as it can be.
void EventTiming::take_anchor(Device& device, uint64_t seen) {
  const uint64_t recorded = device.next_recorded_ns;
  float apart;
  uint64_t at = recorded, slack = seen - recorded;
  if (slack <= kAnchorPatienceNs) {
    at = recorded + slack / 2;
    slack = 0;
  } else if (device.anchor_ns != 0 && cudaEventElapsedTime_(&apart, device.anchor, device.next_anchor) == cudaSuccess) {
    const uint64_t said =
        device.anchor_ns + static_cast<uint64_t>(static_cast<double>(apart) * kNanosecondsAMillisecond);
    at = std::clamp(said, recorded, seen);
    slack = std::min(device.slack_ns, seen - at);
  }
  std::swap(device.anchor, device.next_anchor);
  device.anchor_ns = at;
  device.slack_ns = slack;
}

}  // namespace tauprof::capture
