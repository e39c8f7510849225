// Advice by the names of PyTorch's options, where PyTorch said what it was asked (docs/metrics.md, `settings`).
#pragma once

#include <string>

#include "findings/finding_kind.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

struct OptionAdvice {
  std::string advice;    // the options that the finding is about, and then `general`
  std::string evidence;  // the evidence for it, "; …"; empty: nothing more
};

// `general`: the advice where nothing was asked.
OptionAdvice option_advice(FindingId id, const RunFacts& facts, const RunMetrics& metrics, std::string general);

}  // namespace tauprof
