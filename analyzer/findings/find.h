// What in a run deserves attention: each finding is a claim with its evidence, what acting on it
// could give back, and what to do. Reads metrics, never raw spans.
#pragma once

#include <string>
#include <vector>

#include "metrics/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

enum class Severity { kInfo, kWarning, kCritical };

struct Finding {
  std::string id;
  Severity severity = Severity::kInfo;
  std::string title;
  std::string evidence;
  std::vector<int32_t> ranks;    // empty: all
  std::vector<int64_t> steps;    // empty: all
  double saves_ns_per_step = 0;  // an upper bound: what would go if this went entirely; 0: not known
  std::string advice;
  std::string where;  // the line of code that it is most about, "file:line function"; empty: not known
};

// The costliest first.
std::vector<Finding> find_findings(const RunFacts& facts, const RunMetrics& metrics);

}  // namespace tauprof
