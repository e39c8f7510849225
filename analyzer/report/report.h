// A finished analysis, ready to be rendered.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

struct Report {
  RunFacts facts;
  RunMetrics metrics;
  std::vector<Finding> findings;
  std::optional<double> batch;  // samples per rank and step, as the user gave them
  std::optional<double> tokens;

  // What the report divides the run into: steps, or slices of time if no steps are known.
  std::string_view unit() const { return facts.is_by_time() ? "slice" : "step"; }
  // Samples or tokens per second of all ranks together; empty if not given, or if no steps are known.
  std::optional<double> per_second(const std::optional<double>& per_rank_and_step) const {
    if (!per_rank_and_step || facts.is_by_time() || metrics.step_duration.mean <= 0) return std::nullopt;
    const double ranks = facts.world_size > 0 ? facts.world_size : facts.ranks;
    return *per_rank_and_step * ranks * 1e9 / metrics.step_duration.mean;
  }
};

}  // namespace tauprof
