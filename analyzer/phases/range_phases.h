// The phase of which a range speaks: a range of the program or of its training loop by the lines `range` and `file` of
// the rules, an operator of the framework by the lines `operator`.
//
// Operators carry the words of passes without being one: aten::_flash_attention_forward also runs in evaluations and
// when a backward pass computes again what was freed. So what a user's range would say must not be read out of them.
// An operator is a name in a namespace (aten::mm, flash_attn::_flash_attn_forward). A plain name (_grouped_mm,
// FlashAttnFunc, MmBackward0) is one, too, where the trace keeps ranges of the program apart from operators; older
// traces do not.
#pragma once

#include <optional>
#include <vector>

#include "model/process_trace.h"
#include "phases/phase_rules.h"

namespace tauprof {

class RangePhases {
 public:
  // Both must outlive this.
  RangePhases(const ProcessTrace& trace, const PhaseRules& rules);

  std::optional<Phase> of(const HostRange& range);
  bool is_operator(const HostRange& range) const;

 private:
  struct Known {
    bool is_known = false;
    std::optional<Phase> phase;
  };

  const ProcessTrace& trace_;
  const PhaseRules& rules_;
  bool has_annotations_ = false;
  std::vector<Known> ranges_, operators_;  // by name
};

}  // namespace tauprof
