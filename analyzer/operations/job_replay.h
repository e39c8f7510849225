// Replays of a training job's steps: with measured times, with ideal ones, or with a mixture.
//
// The *time* of an operation is what it needs by itself: the duration of a computation, the transfer of a communication
// (its end after the last participant has started). Its *delay* is how long after the end of the operations before it
// it started. The *ideal* time of an operation is the same for all operations of its type: the mean of computations,
// the median of communications, which are skewed by the rare slow one.
#pragma once

#include <optional>
#include <vector>

#include "model/status.h"
#include "model/step_range.h"
#include "operations/job_dependencies.h"
#include "operations/operation_grid.h"
#include "replay/replay.h"

namespace tauprof {

// How long a replayed step takes.
struct ReplayedStep {
  double full_s = 0;       // from its first start to its last end
  double optimizer_s = 0;  // from 0 to the end of its last update
};
using ReplayedSteps = std::vector<ReplayedStep>;  // as JobReplay::steps()

double mean_full(const ReplayedSteps& steps);
double mean_optimizer(const ReplayedSteps& steps);

class JobReplay {
 public:
  // Of each operation of a step, all data-parallel ranks one after another.
  using Choice = std::vector<uint8_t>;

  // `grid` outlives this. Of `steps`, those that the trace has are replayed.
  explicit JobReplay(const OperationGrid& grid) : grid_(grid) {}
  Status make(bool uses_data_parallel, const std::optional<StepRange>& steps);

  // Indices into the grid's steps.
  const std::vector<size_t>& steps() const { return steps_; }
  // Single precision, as published.
  const std::vector<double>& recorded_s() const { return recorded_s_; }

  // All operations have their ideal time; without delays.
  ReplayedSteps ideal() const;
  // `is_measured`: these operations have their measured time, the others the ideal one. Without delays.
  ReplayedSteps mixed(const Choice& is_measured) const;
  // The same where the measured operations are those of one data-parallel rank. All others do the same at the same
  // time, so one of them stands for all, and the cost does not grow with their number.
  ReplayedSteps mixed_for(int32_t dp_rank) const;
  // All operations have their measured time, and these their delay as well.
  ReplayedSteps delayed(const Choice& is_delayed) const;

  // How far a step is off, as a share of what was recorded, whose operations have their measured time and the delay
  // that is usual for them in the other steps. None: there is one step only.
  std::optional<double> error() const;

  // The operations of a step for which `holds(dp_rank, operation)`; the operation by its index in the grid.
  template <class Holds>
  Choice choose(Holds&& holds) const {
    Choice choice;
    for (int32_t dp_rank = 0; dp_rank < grid_.data_parallel_size(); ++dp_rank)
      for (uint32_t operation = 0; operation < grid_.operations().size(); ++operation)
        choice.push_back(holds(dp_rank, operation));
    return choice;
  }
  const OperationGraph<double>& graph() const { return graph_; }

 private:
  void measure_times(const JobDependencies& dependencies);
  void measure_transfers(const OperationGroup& group, size_t step);
  void measure_delays(const JobDependencies& dependencies, size_t step);
  void measure_step(size_t step);
  void find_ideal();
  std::vector<double> usual_delays() const;
  template <class TimeOf, class DelayOf>
  ReplayedStep replay_step(const OperationGraph<double>& graph, TimeOf&& time_of, DelayOf&& delay_of,
                           Schedule<double>& schedule) const;
  template <class TimeOf, class DelayOf>
  ReplayedSteps replay_all(TimeOf&& time_of, DelayOf&& delay_of) const;

  const OperationGrid& grid_;
  OperationGraph<double> graph_;         // of a step
  OperationGraph<double> two_ranks_;     // of two data-parallel ranks at most
  std::vector<OperationId> optimizers_;  // of a step
  std::vector<size_t> steps_;
  std::vector<double> recorded_s_;  // as steps_
  std::vector<double> times_;       // by cell of the grid
  std::vector<double> delays_;
  std::vector<double> ideal_;  // by operation of a step
};

}  // namespace tauprof
