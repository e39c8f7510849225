// PyTorch's settings as it reported them (docs/metrics.md, `settings`), for findings.
#pragma once

#include <optional>
#include <string>

#include "findings/finding_kind.h"
#include "findings/statement.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

// The value of a setting, "loader.workers"; none: not asked, or ranks differ.
std::optional<std::string> asked(const RunFacts& facts, const std::string& name);
std::optional<double> asked_number(const RunFacts& facts, const std::string& name);
// Whether it is PyTorch that says what it was asked.
bool is_pytorch(const RunFacts& facts);

// Advice by the names of PyTorch's options, where PyTorch said what it was asked (docs/metrics.md, `settings`).

struct OptionAdvice {
  Statement advice;    // the options that the finding is about, and then `general`
  Statement evidence;  // for it; empty: nothing more
};

// `general`: the advice where nothing was asked.
OptionAdvice option_advice(FindingId id, const RunFacts& facts, const RunMetrics& metrics, const Statement& general);

}  // namespace tauprof
