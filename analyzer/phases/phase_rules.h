// The rules that give phases to ranges and kernels by name, as data: the shipped ones (rules/ranges.rules) and a
// user's.
//
// A line is a comment (#), or one of
//   range    PATTERN PHASE     a range of the program or of its training loop with a fitting name has the phase
//   operator PATTERN PHASE     so does an operator of the framework (range_phases.h), which no line `range` sees
//   file     NAME    PHASE     so does a Python function in this file (without .py)
//   kernel   PATTERN PHASE     the work of a fitting kernel has the phase, whatever launched it
// @none in place of a phase: it speaks of none. The first line that fits decides; a user's lines come before the
// shipped ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/phase.h"
#include "model/status.h"
#include "phases/rule.h"

namespace tauprof {

class PhaseRules {
 public:
  // The shipped rules. Aborts if they are invalid, which would be a bug.
  static const PhaseRules& shipped();
  // Puts `text` before the shipped rules. An error names `source` and the line.
  static Status read(std::string_view text, const std::string& source, PhaseRules& rules);

  // Of a Python frame ("path/file.py(12): function"), only the function and its file count.
  std::optional<Phase> phase_of_range(std::string_view name) const;
  std::optional<Phase> phase_of_operator(std::string_view name) const;
  std::optional<Phase> phase_of_kernel(std::string_view name) const;

 private:
  std::optional<Phase> phase_of(RuleKind kind, std::string_view name) const;

  RuleLists rules_;
};

}  // namespace tauprof
