// What kind of problem the run has, in one word and one sentence (docs/metrics.md, "Verdict").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "findings/savings.h"
#include "metrics/run/run_metrics.h"

namespace tauprof {

struct Verdict {
  VerdictClass kind;
  std::string title;
  std::vector<std::string> because;
  std::optional<size_t> about = std::nullopt;  // index of the finding that it is about
  bool is_by_time = false;                     // nothing was replayed, so causes are weighed by the time that they take
};

// The first that holds: something hangs; one repair of ranks gives a twentieth of the step; no repair gives
// kWorthwhile; the devices compute most of the time; else what the largest repair of a known cause is about, or a
// pipeline's bubble, if its critical stage waits for longer than that saves. Where nothing could be replayed, the time
// that a cause takes stands for what its repair gives. None without steps.
std::optional<Verdict> verdict_of(const RunMetrics& metrics, const std::vector<Finding>& findings,
                                  const Savings& savings);

}  // namespace tauprof
