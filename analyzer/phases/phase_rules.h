// The rules that assign phases to calls and ranges, as data: the shipped ones (rules/*.rules) and a user's.
//
// A line is a comment (#), or one of
//   range PATTERN PHASE             a range with a fitting name has the phase; @none: it speaks of none
//   file  NAME    PHASE             so does a Python function in this file (without .py)
//   call  FIELD=VALUE… PHASE        a call for which all fields hold; VALUE may be a list, separated by commas
// docs/phases.md lists the fields. The first line that fits decides; a user's lines come before the shipped ones.
// assign_phases.h says how ranges and calls combine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  const std::vector<CallRule>& calls() const { return lists_.calls; }

 private:
  RuleLists lists_;
};

}  // namespace tauprof
