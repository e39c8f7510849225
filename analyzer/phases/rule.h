// The lines of a rule file (phase_rules.h explains them): as data, how they are read, and which texts fit them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/phase.h"
#include "model/status.h"

namespace tauprof {

enum class RuleKind : uint8_t { kRange, kOperator, kFile, kKernel };
inline constexpr size_t kRuleKinds = 4;

struct PhaseRule {
  std::string pattern;
  std::optional<Phase> phase;  // nullopt: @none
};

// By kind, in the order in which they apply.
using RuleLists = std::array<std::vector<PhaseRule>, kRuleKinds>;

// The patterns in rules: `*` matches any characters, `?` matches one; case does not matter.
bool fits_pattern(std::string_view pattern, std::string_view text);

// Appends to `rules`. `source`: the file's name in errors, which also name the line.
Status read_rules(const std::string& source, std::string_view text, RuleLists& rules);

// The text of rules/ranges.rules, built into the program.
extern const std::string_view kShippedRules;

}  // namespace tauprof
