#include "operations/job_replay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// Clocks that are slightly off make small negative differences, which stay; large ones are an error of the recording.
double without_errors(double difference_s) {
  return difference_s <= kImpossibleDifference ? 0 : static_cast<float>(difference_s);
}

bool has_median(OperationType type) {
  return type != OperationType::kForwardCompute && type != OperationType::kBackwardCompute &&
         type != OperationType::kOptimizer && type != OperationType::kGarbageCollection;
}

// Exact for times in single precision, so that equal times have themselves as their mean.
double mean(const std::vector<double>& values) {
  long double sum = 0;
  for (const double value : values) sum += value;
  return static_cast<double>(sum / static_cast<long double>(values.size()));
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace

double mean_full(const ReplayedSteps& steps) {
  double sum = 0;
  for (const ReplayedStep& step : steps) sum += step.full_s;
  return sum / static_cast<double>(steps.size());
}

double mean_optimizer(const ReplayedSteps& steps) {
  double sum = 0;
  for (const ReplayedStep& step : steps) sum += step.optimizer_s;
  return sum / static_cast<double>(steps.size());
}

Status JobReplay::make(bool uses_data_parallel, const std::optional<StepRange>& steps) {
  JobDependencies dependencies;
  if (Status status = find_dependencies(grid_, uses_data_parallel, dependencies); !status.is_ok()) return status;
  const int32_t dp_ranks = grid_.data_parallel_size();
  if (Status status = make_graph(grid_, dependencies, dp_ranks, graph_); !status.is_ok()) return status;
  if (Status status = make_graph(grid_, dependencies, std::min(2, dp_ranks), two_ranks_); !status.is_ok())
    return status;
  for (size_t step = 0; step < grid_.steps().size(); ++step)
    if (!steps || steps->has(grid_.steps()[step])) steps_.push_back(step);
  if (steps_.empty())
    return Status::error("none of its " + std::to_string(grid_.steps().size()) +
                         " steps is in the chosen range; they are numbered " + std::to_string(grid_.steps().front()) +
                         " to " + std::to_string(grid_.steps().back()));
  const auto size = static_cast<uint32_t>(grid_.operations().size());
  for (OperationId operation = 0; operation < graph_.size(); ++operation)
    if (grid_.operations()[operation % size].type == OperationType::kOptimizer) optimizers_.push_back(operation);
  measure_times(dependencies);
  find_ideal();
  return Status::ok();
}

void JobReplay::measure_times(const JobDependencies& dependencies) {
  const size_t cells = grid_.steps().size() * grid_.step_size();
  times_.resize(cells);
  delays_.resize(cells);
  for (size_t cell = 0; cell < cells; ++cell) times_[cell] = grid_.duration(cell);
  for (const size_t step : steps_) {
    for (const OperationGroup& group : dependencies.groups) measure_transfers(group, step);
    measure_delays(dependencies, step);
    measure_step(step);
  }
}

void JobReplay::measure_transfers(const OperationGroup& group, size_t step) {
  const int32_t ranks = grid_.data_parallel_size();
  const int32_t together = group.spans_dp_ranks ? ranks : 1;
  const auto for_members = [&](int32_t first, auto&& take) {
    for (int32_t dp_rank = first; dp_rank < first + together; ++dp_rank)
      for (const uint32_t member : group.members) take(grid_.cell(step, dp_rank, member));
  };
  for (int32_t first = 0; first < ranks; first += together) {
    double begin = std::numeric_limits<double>::lowest();
    for_members(first, [&](size_t cell) { begin = std::max(begin, grid_.start(cell)); });
    for_members(first, [&](size_t cell) { times_[cell] = without_errors(grid_.difference(grid_.end(cell), begin)); });
  }
}

void JobReplay::measure_delays(const JobDependencies& dependencies, size_t step) {
  double earliest = std::numeric_limits<double>::max();
  for (size_t i = 0; i < grid_.step_size(); ++i)
    earliest = std::min(earliest, grid_.start(step * grid_.step_size() + i));
  for (int32_t dp_rank = 0; dp_rank < grid_.data_parallel_size(); ++dp_rank) {
    for (uint32_t operation = 0; operation < dependencies.before.size(); ++operation) {
      const std::vector<uint32_t>& before = dependencies.before[operation];
      double ready = before.empty() ? earliest : std::numeric_limits<double>::lowest();
      for (const uint32_t one : before) ready = std::max(ready, grid_.end(grid_.cell(step, dp_rank, one)));
      const size_t cell = grid_.cell(step, dp_rank, operation);
      delays_[cell] = without_errors(grid_.difference(grid_.start(cell), ready));
    }
  }
}

void JobReplay::measure_step(size_t step) {
  double first = std::numeric_limits<double>::max(), last = std::numeric_limits<double>::lowest();
  for (size_t cell = step * grid_.step_size(); cell < (step + 1) * grid_.step_size(); ++cell) {
    first = std::min(first, grid_.start(cell));
    last = std::max(last, grid_.end(cell));
  }
  recorded_s_.push_back(static_cast<float>(grid_.difference(last, first)));
}

void JobReplay::find_ideal() {
  std::array<std::vector<double>, kOperationTypeCount> times;
  for (const size_t step : steps_)
    for (int32_t dp_rank = 0; dp_rank < grid_.data_parallel_size(); ++dp_rank)
      for (uint32_t operation = 0; operation < grid_.operations().size(); ++operation)
        times[static_cast<size_t>(grid_.operations()[operation].type)].push_back(
            times_[grid_.cell(step, dp_rank, operation)]);
  std::array<double, kOperationTypeCount> ideal{};
  for (size_t type = 0; type < kOperationTypeCount; ++type)
    if (!times[type].empty())
      ideal[type] = has_median(static_cast<OperationType>(type)) ? median(times[type]) : mean(times[type]);
  for (int32_t dp_rank = 0; dp_rank < grid_.data_parallel_size(); ++dp_rank)
    for (const GridOperation& operation : grid_.operations())
      ideal_.push_back(ideal[static_cast<size_t>(operation.type)]);
}

template <class TimeOf, class DelayOf>
ReplayedStep JobReplay::replay_step(const OperationGraph<double>& graph, TimeOf&& time_of, DelayOf&& delay_of,
                                    Schedule<double>& schedule) const {
  replay(graph, time_of, delay_of, schedule);
  ReplayedStep step;
  double first = std::numeric_limits<double>::max(), last = std::numeric_limits<double>::lowest();
  for (const auto& one : schedule) {
    first = std::min(first, one.start);
    last = std::max(last, one.end);
  }
  step.full_s = last - first;
  step.optimizer_s = std::numeric_limits<double>::lowest();
  for (const OperationId operation : optimizers_)
    if (operation < graph.size()) step.optimizer_s = std::max(step.optimizer_s, schedule[operation].end);
  return step;
}

template <class TimeOf, class DelayOf>
ReplayedSteps JobReplay::replay_all(TimeOf&& time_of, DelayOf&& delay_of) const {
  ReplayedSteps replayed;
  Schedule<double> schedule;
  for (const size_t step : steps_) {
    const size_t first = step * grid_.step_size();
    replayed.push_back(replay_step(
        graph_, [&](OperationId operation) { return time_of(first, operation); },
        [&](OperationId operation) { return delay_of(first, operation); }, schedule));
  }
  return replayed;
}

ReplayedSteps JobReplay::ideal() const {
  Schedule<double> schedule;
  const ReplayedStep step = replay_step(
      two_ranks_, [&](OperationId operation) { return ideal_[operation]; }, [](OperationId) { return 0.0; }, schedule);
  return ReplayedSteps(steps_.size(), step);
}

ReplayedSteps JobReplay::mixed_for(int32_t dp_rank) const {
  ReplayedSteps replayed;
  Schedule<double> schedule;
  const size_t size = grid_.operations().size();
  for (const size_t step : steps_) {
    const size_t first = grid_.cell(step, dp_rank, 0);
    replayed.push_back(replay_step(
        two_ranks_,
        [&](OperationId operation) { return operation < size ? times_[first + operation] : ideal_[operation - size]; },
        [](OperationId) { return 0.0; }, schedule));
  }
  return replayed;
}

// By cell: the median of the operation's delays in the other steps.
std::vector<double> JobReplay::usual_delays() const {
  std::vector<double> usual(delays_.size());
  std::vector<double> sorted;
  for (size_t operation = 0; operation < grid_.step_size(); ++operation) {
    sorted.clear();
    for (const size_t step : steps_) sorted.push_back(delays_[step * grid_.step_size() + operation]);
    std::sort(sorted.begin(), sorted.end());
    const size_t others = sorted.size() - 1;
    for (const size_t step : steps_) {
      const size_t cell = step * grid_.step_size() + operation;
      const auto position =
          static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), delays_[cell]) - sorted.begin());
      const auto other = [&](size_t i) { return sorted[i < position ? i : i + 1]; };
      usual[cell] = (other((others - 1) / 2) + other(others / 2)) / 2;
    }
  }
  return usual;
}

std::optional<double> JobReplay::error() const {
  if (steps_.size() < 2) return std::nullopt;
  const std::vector<double> usual = usual_delays();
  const ReplayedSteps replayed =
      replay_all([&](size_t first, OperationId operation) { return times_[first + operation]; },
                 [&](size_t first, OperationId operation) { return usual[first + operation]; });
  double sum = 0;
  for (size_t i = 0; i < replayed.size(); ++i) sum += std::abs(replayed[i].full_s - recorded_s_[i]) / recorded_s_[i];
  return sum / static_cast<double>(replayed.size());
}

ReplayedSteps JobReplay::mixed(const Choice& is_measured) const {
  return replay_all(
      [&](size_t first, OperationId operation) {
        return is_measured[operation] ? times_[first + operation] : ideal_[operation];
      },
      [](size_t, OperationId) { return 0.0; });
}

ReplayedSteps JobReplay::delayed(const Choice& is_delayed) const {
  return replay_all(
      [&](size_t first, OperationId operation) { return times_[first + operation]; },
      [&](size_t first, OperationId operation) { return is_delayed[operation] ? delays_[first + operation] : 0.0; });
}

}  // namespace tauprof
