// How much communication hides under computation (docs/metrics.md, "Overlap").
#pragma once

#include <algorithm>
#include <optional>

#include "model/rank_timeline.h"

namespace tauprof {

// Sums over steps. Each step adds its own minimum and maximum of computation and communication.
struct Overlap {
  Nanoseconds compute = 0;  // C
  Nanoseconds comm = 0;     // M
  Nanoseconds busy = 0;     // B
  Nanoseconds step = 0;
  Nanoseconds shorter = 0;  // min(C, M) of each step
  Nanoseconds longer = 0;   // max(C, M) of each step

  void add(const RankStep& rank_step) {
    compute += rank_step.compute;
    comm += rank_step.comm;
    busy += rank_step.busy;
    step += rank_step.device ? rank_step.device->length() : 0;
    shorter += std::min(rank_step.compute, rank_step.comm);
    longer += std::max(rank_step.compute, rank_step.comm);
  }
  void add(const Overlap& other) {
    compute += other.compute;
    comm += other.comm;
    busy += other.busy;
    step += other.step;
    shorter += other.shorter;
    longer += other.longer;
  }

  Nanoseconds hidden_comm() const { return compute + comm - busy; }
  Nanoseconds exposed_comm() const { return comm - hidden_comm(); }
  std::optional<double> fraction() const { return ratio(hidden_comm(), comm); }
  std::optional<double> efficiency() const { return one_less(busy); }
  std::optional<double> efficiency_step() const { return one_less(step); }

 private:
  static std::optional<double> ratio(Nanoseconds part, Nanoseconds whole) {
    if (whole == 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
  }
  std::optional<double> one_less(Nanoseconds together) const {
    const std::optional<double> lost = ratio(together - longer, shorter);
    return lost ? std::optional(1 - *lost) : std::nullopt;
  }
};

}  // namespace tauprof
