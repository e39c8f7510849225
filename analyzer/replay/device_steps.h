// Which operations a device's steps start and end with.
#pragma once

#include <cstdint>
#include <vector>

#include "model/rank_operations.h"

namespace tauprof {

// `of_span`: the operation of each of the device's spans; kNoIndex: it is no work. `times`: of all operations.
// `opening`: what the host does from the first step's start to its first call; kNoIndex: nothing. A step between whose
// window and work nothing lies is left out.
std::vector<OperationStep> steps_of_device(const ProcessTrace& trace, uint32_t device,
                                           const std::vector<uint32_t>& of_span, const std::vector<Interval>& times,
                                           uint32_t opening);

}  // namespace tauprof
