// The language of SIMGPU_OPTIONS.
#pragma once

#include <string_view>

#include "simgpu/engine/config.h"

namespace simgpu {

// Sets what `options` says; complains on stderr about what it cannot read.
void apply_options(std::string_view options, Config& config);

}  // namespace simgpu
