// A line of a rule file (phase_rules.h explains the lines).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/phase.h"

namespace tauprof {

enum class RuleKind : uint8_t { kRange, kOperator, kFile, kKernel };
inline constexpr size_t kRuleKinds = 4;

struct PhaseRule {
  std::string pattern;
  std::optional<Phase> phase;  // nullopt: @none
};

// By kind, in the order in which they apply.
using RuleLists = std::array<std::vector<PhaseRule>, kRuleKinds>;

}  // namespace tauprof
