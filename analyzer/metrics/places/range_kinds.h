// The kind of a range in the program: an operator, a model's module, a function of the user's, or a part that the user
// named. Ranges that say nothing are hidden: functions of frameworks and of Python's own library, and the markers of
// steps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

enum class RangeKind : uint8_t { kUnknown, kHidden, kRange, kModule, kFunction, kOperator };

class RangeKinds {
 public:
  // Refers to the trace.
  explicit RangeKinds(const ProcessTrace& trace);

  RangeKind of(const HostRange& range);

 private:
  const ProcessTrace& trace_;
  std::vector<Nanoseconds> step_starts_;  // sorted
  std::vector<RangeKind> python_kinds_;   // by name
};

// "## forward ##" → "forward", "src/train.py(12): step" → "src/train.py:12 step", "nn.Module: Linear_3" → "Linear_3".
std::string shown_range(std::string_view name);

}  // namespace tauprof
