// What a kernel's name says of its place around an update of the model; log/update_kernels.def has the words.
#pragma once

#include <cstdint>

namespace tauprof {

enum class UpdateRole : uint8_t { kNone, kUpdate, kScale, kClipping, kList, kClearing };

}  // namespace tauprof
