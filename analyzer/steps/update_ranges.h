// When each thread of a process was in an optimizer's step, by the ranges that PyTorch puts around it
// ("Optimizer.step#AdamW.step").
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class UpdateRanges {
 public:
  explicit UpdateRanges(const ProcessTrace& trace);
  bool has(uint16_t thread, Nanoseconds time) const;

 private:
  std::vector<std::vector<Interval>> of_thread_;  // by start; the ends are the latest so far
};

}  // namespace tauprof
