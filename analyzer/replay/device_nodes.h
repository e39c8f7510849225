// The operations that stand for the work on a process's devices: one for each span, and one for all spans of a
// collective together, from the start of the first to the end of the last.
#pragma once

#include <vector>

#include "model/rank_operations.h"

namespace tauprof {

struct DeviceNodes {
  std::vector<std::vector<uint32_t>> of_span;  // by device and span: the operation; kNoIndex: none
};

// Adds the operations of all devices to an empty `process`, by start, without edges. Names are the trace's.
DeviceNodes add_device_operations(const ProcessTrace& trace, ProcessOperations& process);

}  // namespace tauprof
