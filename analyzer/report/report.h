// A finished analysis, as the renderings take it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "findings/find.h"
#include "metrics/run_metrics.h"
#include "model/run_facts.h"

namespace tauprof {

struct Report {
  RunFacts facts;
  RunMetrics metrics;
  std::vector<Finding> findings;
  std::optional<double> batch;  // samples per rank and step, as the user gave them
  std::optional<double> tokens;

  // What the report is cut into: steps, where they are known.
  std::string_view unit() const { return facts.is_by_time() ? "slice" : "step"; }
  // Units of work per second of all ranks together; empty when not given or without steps.
  std::optional<double> per_second(const std::optional<double>& per_rank_and_step) const {
    if (!per_rank_and_step || facts.is_by_time() || metrics.step_duration.mean <= 0) return std::nullopt;
    const double ranks = facts.world_size > 0 ? facts.world_size : facts.ranks;
    return *per_rank_and_step * ranks * 1e9 / metrics.step_duration.mean;
  }
};

}  // namespace tauprof
