// Reduction operators that a program makes: a multiplication by a scalar before the sum.
#pragma once

#include <nccl.h>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// Replaces a made operator by the sum and its scalar. False: there is no such operator, or it is for another type or
// communicator.
bool resolve_reduction(const Communicator& communicator, Message* message);

}  // namespace simgpu::nccl
