// The clock in which the client reads times: CLOCK_REALTIME, or the function that it registered.
//
// Records keep host time (CLOCK_MONOTONIC) until their buffer is delivered; then all times are converted, as CUPTI
// converts the GPU's ticks. The client's clock is sampled eight times between two readings of the host clock, and the
// tightest bracket counts: offset = client - middle, known to the bracket's width. From then on
//   client = host + offset
// until a later sample contradicts the first by more than both widths. Then CLOCK_REALTIME was set, and the newer
// offset applies; or a registered clock runs at another rate (a tick counter, say), and times lie on the line through
// both samples. If the offset is zero within its width, the client's clock is the host's, and times pass unchanged.
// Example: readings 1000, client 5003, 1006 give offset 4000 ± 6; host 1100 is 5100 to the client.
#pragma once

#include <cupti.h>

#include <cstdint>
#include <mutex>
#include <optional>

#include "simgpu/engine/clock.h"

namespace simgpu::cupti {

class ClientClock {
 public:
  void use(CUpti_TimestampCallbackFunc callback);
  std::uint64_t now();
  // Calls the client's function, so no lock may be held.
  void sample();
  // `host` 0 is "not known" and stays 0.
  std::uint64_t convert(std::uint64_t host);

 private:
  struct Sample {
    Nanoseconds host;
    std::int64_t offset;
    Nanoseconds width;
  };
  static std::uint64_t read(CUpti_TimestampCallbackFunc callback);
  static Sample tightest(CUpti_TimestampCallbackFunc callback);
  static bool agree(const Sample& a, const Sample& b);

  std::mutex mutex_;
  CUpti_TimestampCallbackFunc callback_ = nullptr;  // null: CLOCK_REALTIME
  std::optional<Sample> first_;
  std::optional<Sample> last_;  // only if it contradicts first_
};

}  // namespace simgpu::cupti
