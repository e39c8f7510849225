// The phases of a training step (docs/metrics.md, "Steps and phases"), in the order of the report.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tauprof {

enum class Phase : uint8_t {
  kDataloadWait,
  kHostToDevice,
  kForward,
  kBackward,
  kUnscaleClip,
  kOptimStep,
  kZeroGradSched,
  kSyncGather,
  kOther,
};

inline constexpr size_t kPhaseCount = 9;
inline constexpr std::array<std::string_view, kPhaseCount> kPhaseNames = {
    "dataload_wait",   "h2d",         "forward", "backward", "unscale_clip", "optim_step",
    "zero_grad_sched", "sync_gather", "other"};

inline std::string_view phase_name(Phase phase) { return kPhaseNames[static_cast<size_t>(phase)]; }

constexpr uint32_t phase_bit(Phase phase) { return 1u << static_cast<uint32_t>(phase); }

constexpr bool is_in(Phase phase, uint32_t phases) { return (phases & phase_bit(phase)) != 0; }

// Sets of phases, as phase bits.
inline constexpr uint32_t kInputPhases = phase_bit(Phase::kDataloadWait) | phase_bit(Phase::kHostToDevice);
// Copies of an update are no input: they hold lists of addresses, or numbers.
constexpr bool brings_input(Phase phase) { return phase != Phase::kUnscaleClip && phase != Phase::kOptimStep; }
inline constexpr uint32_t kPassPhases = phase_bit(Phase::kForward) | phase_bit(Phase::kBackward);
inline constexpr uint32_t kUpdatePhases = phase_bit(Phase::kOptimStep) | phase_bit(Phase::kZeroGradSched);
// "The backward step" as people use the word.
inline constexpr uint32_t kBackwardStep = phase_bit(Phase::kBackward) | phase_bit(Phase::kUnscaleClip) | kUpdatePhases;

template <class T>
using PerPhase = std::array<T, kPhaseCount>;

}  // namespace tauprof
