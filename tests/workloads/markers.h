// Announces where steps and phases start and end: to the simulator, if there is one, for its truth file; and by NVTX
// ranges if an option asks for them. A scope belongs to the thread whose host time it bounds.
#pragma once

#include <cstdint>

namespace training {

enum class Phase : std::uint8_t {
  Data,
  HostToDevice,
  Forward,
  Backward,
  GradientSync,
  Optimizer,
  Loss,
  Logging,
  Checkpoint,
  Evaluation,
};

void set_up_markers(bool nvtx);

class StepScope {
 public:
  explicit StepScope(std::int64_t step);
  ~StepScope();
  StepScope(const StepScope&) = delete;
  StepScope& operator=(const StepScope&) = delete;

 private:
  std::int64_t step_;
};

class PhaseScope {
 public:
  explicit PhaseScope(Phase phase);
  ~PhaseScope();
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  Phase phase_;
  std::int64_t index_;
};

}  // namespace training
