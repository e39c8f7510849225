// The phase of which a range speaks: a range of the program or of its training loop by the lines `range` and `file` of
// the rules, an operator of the framework by the lines `operator`.
//
// Operators carry the words of passes without being one: aten::_flash_attention_forward also runs in evaluations and
// when a backward pass computes again what was freed. So what a user's range would say must not be read out of them.
// An operator is a name in a namespace (aten::mm, flash_attn::_flash_attn_forward). A plain name (_grouped_mm,
// FlashAttnFunc, MmBackward0) is one, too, where the trace keeps ranges of the program apart from operators; older
// traces do not.
//
// A forward pass behind a step's last backward pass is an evaluation (other) if the step has another one before.
// Example: forward, backward, update, forward, forward: the last two evaluate. But in a step that is cut between a
// program's forward and backward passes (backward, update, forward), it is a pass.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "model/process_trace.h"
#include "phases/phase_rules.h"

namespace tauprof {

class RangePhases {
 public:
  // Both must outlive this.
  RangePhases(const ProcessTrace& trace, const PhaseRules& rules);

  std::optional<Phase> of(const HostRange& range) {
    const std::optional<Phase> said = said_by(range);
    return said == Phase::kForward && is_evaluation(range.start) ? Phase::kOther : said;
  }

 private:
  struct Passes {  // of a step
    Nanoseconds first_forward = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last_backward =
        std::numeric_limits<Nanoseconds>::min();  // when it starts, or launches for the last time
  };

  bool is_of_framework(const HostRange& range) const;
  std::optional<Phase> said_by(const HostRange& range);
  void find_passes();
  Passes* step_at(Nanoseconds time);
  bool is_evaluation(Nanoseconds start) {
    const Passes* const step = step_at(start);
    return step != nullptr && step->first_forward < step->last_backward && step->last_backward < start;
  }

  struct Known {
    bool is_known = false;
    std::optional<Phase> phase;
  };

  const ProcessTrace& trace_;
  const PhaseRules& rules_;
  bool has_annotations_ = false;
  std::vector<Known> ranges_, operators_;  // by name; of operators as the log has them, and of all others
  std::vector<Passes> steps_;
};

}  // namespace tauprof
