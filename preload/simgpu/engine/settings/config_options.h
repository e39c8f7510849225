// Parses SIMGPU_OPTIONS.
#pragma once

#include <string_view>

#include "simgpu/engine/config.h"

namespace simgpu {

// Sets what `options` says. Complains on stderr about what it cannot parse.
void apply_options(std::string_view options, Config& config);

}  // namespace simgpu
