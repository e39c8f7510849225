// What a host function does to the device, told from its name.
#pragma once

#include <string_view>

#include "model/process_trace.h"

namespace tauprof {

// CUDA runtime and driver, NCCL group and host functions. Suffixes of the per-thread default
// stream and of API versions (_ptsz, _ptds, _v2, _v3020 …) do not matter.
CallClass call_class_of(std::string_view function);

}  // namespace tauprof
