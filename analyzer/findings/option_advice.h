// Advice by the names of PyTorch's options, where PyTorch said what it was asked (docs/metrics.md, `settings`).
#pragma once

#include "findings/finding_kind.h"
#include "findings/statement.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

struct OptionAdvice {
  Statement advice;    // the options that the finding is about, and then `general`
  Statement evidence;  // for it; empty: nothing more
};

// `general`: the advice where nothing was asked.
OptionAdvice option_advice(FindingId id, const RunFacts& facts, const RunMetrics& metrics, const Statement& general);

}  // namespace tauprof
