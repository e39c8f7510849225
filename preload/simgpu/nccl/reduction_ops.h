// Reduction operators made by programs: a multiplication by a scalar before the sum.
#pragma once

#include <nccl.h>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// Replaces such an operator by the sum and its scalar. False: no such operator, or it is for another type or
// communicator.
bool resolve_reduction(const Communicator& communicator, Message* message);

}  // namespace simgpu::nccl
