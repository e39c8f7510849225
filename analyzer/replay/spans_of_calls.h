// The device spans of work that each outermost call of a process launched, on all devices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class SpansOfCalls {
 public:
  struct Work {
    uint32_t device;
    uint32_t span;
  };
  explicit SpansOfCalls(const ProcessTrace& trace);

  // By device and start.
  std::span<const Work> of(uint32_t call) const {
    return {work_.data() + first_[call], first_[call + 1] - first_[call]};
  }

 private:
  std::vector<uint32_t> first_;  // by call
  std::vector<Work> work_;       // by call, then device and start
};

}  // namespace tauprof
