// Kernels that fail on request.
#pragma once

#include "simgpu/engine/timeline/operation_state.h"

namespace simgpu {

// If the configuration asks for this kernel to fail, its device has a sticky error from now on.
void raise_injected_fault(const Operation& operation);

}  // namespace simgpu
