// The run's kind of problem in one word and one sentence (docs/metrics.md, "Verdict").
#pragma once

#include <optional>
#include <vector>

#include "findings/savings.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

struct Verdict {
  VerdictClass kind;
  Statement title;
  std::vector<Statement> because;
  std::optional<size_t> about = std::nullopt;  // index of the finding that it is about
  bool is_by_time = false;                     // nothing was replayed, so causes are weighed by the time that they take
};

// The first that holds:
//   hang       something hangs
//   straggler  one repair of ranks gives kStragglerVerdict of the step
//   (class)    of the repair that gives most of what can be had, if that is kWorthwhile or more; a pipeline's bubble
//              counts as a repair
//   gpu        the devices compute most of the time
//   (class)    of the cause that takes most without a price, if that is kWorthwhile or more: its gain is not known
//   balanced   nothing is worth it
// Where nothing could be replayed, no cause has a price, and stragglers count by the time that others wait for them.
// None without steps.
std::optional<Verdict> verdict_of(const RunFacts& facts, const RunMetrics& metrics,
                                  const std::vector<Finding>& findings, const Savings& savings);

}  // namespace tauprof
