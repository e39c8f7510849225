// A kernel's part in a step, by its name.
#pragma once

#include <cstdint>
#include <string_view>

namespace tauprof {

// Parts of an update: known wherever the kernel runs. Parts of passes: words that also occur elsewhere, so they count
// only where one thread launches everything and nothing else tells passes apart.
enum class KernelPart : uint8_t {
  kNone,
  kClipping,
  kListNorm,    // clipping whose launch follows a copy of addresses
  kClipFactor,  // clipping, but only after other clipping
  kUpdate,
  kList,  // works on lists of tensors: an update, averages of weights
  kClearing,
  kLoss,  // forward, but what follows it is backward
  kForward,
  kBackward,
};

KernelPart kernel_part(std::string_view name);

}  // namespace tauprof
