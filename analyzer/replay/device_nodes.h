// The operations that stand for the work on a process's devices: one for each span, and one for all spans of a
// collective together, from the start of the first to the end of the last.
#pragma once

#include <cstdint>
#include <vector>

#include "model/rank_operations.h"

namespace tauprof {

struct DeviceNodes {
  std::vector<std::vector<uint32_t>> of_span;  // by device and span: the operation; kNoIndex: none
};

// Adds the operations of all devices to an empty `process`, by start, without edges. Names are the trace's.
DeviceNodes add_device_operations(const ProcessTrace& trace, ProcessOperations& process);

// Which operations a device's steps start and end with.
// `of_span`: the operation of each of the device's spans; kNoIndex: it is no work. `times`: of all operations.
// `opening`: what the host does from the first step's start to its first call; kNoIndex: nothing. A step between whose
// window and work nothing lies is left out.
std::vector<OperationStep> steps_of_device(const ProcessTrace& trace, uint32_t device,
                                           const std::vector<uint32_t>& of_span, const std::vector<Interval>& times,
                                           uint32_t opening);

}  // namespace tauprof
