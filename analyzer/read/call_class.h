// Classifies host functions by name: their effect on the device.
#pragma once

#include <string_view>

#include "model/process_trace.h"

namespace tauprof {

// Knows the functions of the CUDA runtime and driver, of HIP, cuBLAS and cuDNN, ncclGroupEnd, and what NCCL creates.
// Suffixes of the per-thread default stream and of API versions (_ptsz, _ptds, _v2, _v3020 …) do not matter.
CallClass call_class_of(std::string_view function);

}  // namespace tauprof
