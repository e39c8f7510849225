// PyTorch's settings as it reported them (docs/metrics.md, `settings`), for findings.
#pragma once

#include <optional>
#include <string>

#include "model/run_facts.h"

namespace tauprof {

// The value of a setting, "loader.workers"; none: not asked, or ranks differ.
std::optional<std::string> asked(const RunFacts& facts, const std::string& name);
std::optional<double> asked_number(const RunFacts& facts, const std::string& name);
// Whether it is PyTorch that says what it was asked.
bool is_pytorch(const RunFacts& facts);

}  // namespace tauprof
