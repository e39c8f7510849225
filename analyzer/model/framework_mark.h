// A framework's own mark of a thread's work (docs/log-format.md, `range`, source 7).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/time.h"

namespace tauprof {

enum class MarkKind : uint8_t {
  kFetch,
  kForward,
  kBackward,
  kUnscale,
  kScale,
  kClip,
  kUpdate,
  kZeroGrad,
  kSchedule,
  kSave,
  kUpdating,   // another framework's step, around that of the optimizer
  kOptimizer,  // an instant: an optimizer is constructed
};

inline constexpr std::array<std::string_view, 12> kMarkNames = {"fetch",    "forward", "backward", "unscale",
                                                                "scale",    "clip",    "update",   "zero_grad",
                                                                "schedule", "save",    "updating", "optimizer"};

inline std::optional<MarkKind> mark_kind(std::string_view name) {
  for (size_t kind = 0; kind < kMarkNames.size(); ++kind)
    if (kMarkNames[kind] == name) return static_cast<MarkKind>(kind);
  return std::nullopt;
}

struct FrameworkMark {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  uint64_t optimizer = 0;  // of kUpdate and kOptimizer: its number
  uint16_t thread = 0;
  MarkKind kind = MarkKind::kFetch;
  bool has_gradients = true;   // of kForward
  bool is_evaluation = false;  // of kForward: no step needs it (steps/evaluations.h)
};

}  // namespace tauprof
