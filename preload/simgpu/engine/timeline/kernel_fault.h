// Kernels that fail because the configuration says so.
#pragma once

#include "simgpu/engine/timeline/operation_state.h"

namespace simgpu {

// If this kernel is to fail, gives its device a sticky error.
void raise_injected_fault(const Operation& operation);

}  // namespace simgpu
