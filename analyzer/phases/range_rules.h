// The phase that a range's name speaks of: one table, for annotations of PyTorch, Lightning,
// DeepSpeed, torchrec and hand-written NVTX ranges.
#pragma once

#include <optional>
#include <string_view>

#include "model/phase.h"

namespace tauprof {

// Of a Python frame ("path/file.py(12): function") only the function counts, and whether it lies in a
// loader's file.
std::optional<Phase> phase_of_range(std::string_view name);

}  // namespace tauprof
