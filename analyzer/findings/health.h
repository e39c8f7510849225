// A checklist of the run: each line passes, fails or is unknown, with the number and its limit (docs/metrics.md,
// "Health").
#pragma once

#include <string>
#include <vector>

#include "findings/finding.h"
#include "findings/statement.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

enum class HealthOutcome { kPass, kFail, kUnknown };

struct HealthCheck {
  std::string id;
  HealthOutcome outcome = HealthOutcome::kUnknown;
  Statement found;  // the number, or why it is not known
  Statement limit;  // its good range
  std::vector<int32_t> ranks = {};  // for which it fails; empty: it passes, or for none in particular
};

// Always the same checks in the same order. `findings`: the run's, with their savings.
std::vector<HealthCheck> health_of(const RunFacts& facts, const RunMetrics& metrics,
                                   const std::vector<Finding>& findings = {});

}  // namespace tauprof
