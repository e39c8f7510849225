#include "operations/straggler_answers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "limits/analysis_limits.h"
#include "operations/in_parallel.h"
#include "operations/job_facts.h"
#include "operations/job_replay.h"
#include "operations/operation_grid.h"

namespace tauprof {
namespace {

constexpr double kRounding = 1e-12;  // the share of a step that sums in another order differ by

class Answering {
 public:
  Answering(const OperationGrid& grid, const JobReplay& replay, StragglerAnswers& answers)
      : grid_(grid), replay_(replay), answers_(answers) {}

  void run() {
    const ReplayedSteps measured = replay_.mixed(replay_.choose([](auto...) { return true; }));
    const ReplayedSteps ideal = replay_.ideal();
    compare_steps(measured, ideal);
    if (answers_.slowdown >= kLeastDivided) answers_.of_slowdown = divide_slowdown(ideal);
    if (answers_.launch_slowdown >= kLeastDivided) answers_.of_launch_slowdown = divide_launch_slowdown(measured);
    score_ranks();
    const auto is_last = [&](const RankScore& rank) { return rank.stage == grid_.stages() - 1; };
    const std::function<void()> questions[] = {
        [&] { answers_.replay_error = replay_.error(); },
        [&] { answers_.last_stage = explain(ranks_if(is_last)); },
        [&] {
          if (answers_.of_slowdown) answers_.worst_ranks = explain(worst_ranks());
        },
    };
    in_parallel(std::size(questions), [&](size_t i) { questions[i](); });
  }

 private:
  void compare_steps(const ReplayedSteps& measured, const ReplayedSteps& ideal) {
    double recorded_s = 0;
    for (size_t i = 0; i < measured.size(); ++i) {
      const double recorded = replay_.recorded_s()[i];
      recorded_s += recorded;
      answers_.steps.push_back({grid_.steps()[replay_.steps()[i]], recorded, measured[i].full_s, ideal[i].full_s,
                                ideal[i].optimizer_s, measured[i].full_s / ideal[i].optimizer_s,
                                recorded / measured[i].optimizer_s});
    }
    answers_.recorded_s = recorded_s / static_cast<double>(measured.size());
    answers_.without_delays_s = mean_full(measured);
    answers_.ideal_s = mean_full(ideal);
    answers_.ideal_to_update_s = mean_optimizer(ideal);
    answers_.slowdown = answers_.without_delays_s / answers_.ideal_to_update_s;
    answers_.launch_slowdown = answers_.recorded_s / mean_optimizer(measured);
  }

  static std::string reported_type(const GridOperation& operation) {
    return std::string(reported_name_of(operation.type));
  }
  // A worker's first operation stands apart: it starts late where the host is late.
  static std::string type_or_first(const GridOperation& operation) {
    const OperationType first = operation.stage == 0 ? OperationType::kForwardCompute : OperationType::kForwardReceive;
    return operation.type == first && operation.sequence == 0 ? "first-op" : reported_type(operation);
  }

  Decomposition divide_slowdown(const ReplayedSteps& ideal) const {
    Decomposition result;
    const auto replay_of = [&](const JobReplay::Choice& choice) { return replay_.mixed(choice); };
    result.by_dp_rank =
        answer(ideal, dp_ranks(), [&](size_t dp_rank) { return replay_.mixed_for(static_cast<int32_t>(dp_rank)); });
    result.by_stage = by_stage(ideal, replay_of);
    result.by_type = by_type(ideal, &Answering::reported_type, replay_of);
    return result;
  }

  Decomposition divide_launch_slowdown(const ReplayedSteps& measured) const {
    Decomposition result;
    const auto replay_of = [&](const JobReplay::Choice& choice) { return replay_.delayed(choice); };
    const double operations = static_cast<double>(grid_.step_size()) * static_cast<double>(measured.size());
    if (operations * grid_.data_parallel_size() <= kMostReplayedOperations)
      result.by_dp_rank = answer(measured, dp_ranks(), [&](size_t chosen) {
        return replay_of(
            replay_.choose([&](int32_t dp_rank, uint32_t) { return dp_rank == static_cast<int32_t>(chosen); }));
      });
    result.by_stage = by_stage(measured, replay_of);
    result.by_type = by_type(measured, &Answering::type_or_first, replay_of);
    return result;
  }

  // For each key what a step takes, relative to `base`, if that key's operations are replayed by `replay_of(its
  // index)`.
  template <class ReplayOf>
  static SlowdownByKey answer(const ReplayedSteps& base, const std::vector<std::string>& names, ReplayOf&& replay_of) {
    SlowdownByKey result;
    result.keys.resize(names.size());
    in_parallel(names.size(), [&](size_t i) {
      const ReplayedSteps changed = replay_of(i);
      result.keys[i] = {names[i], mean_optimizer(changed) / mean_optimizer(base), {}};
      for (size_t step = 0; step < base.size(); ++step)
        result.keys[i].of_step.push_back(changed[step].optimizer_s / base[step].optimizer_s);
    });
    return result;
  }

  template <class ReplayOf>
  SlowdownByKey by_stage(const ReplayedSteps& base, ReplayOf&& replay_of) const {
    return answer(base, numbers_to(grid_.stages()), [&](size_t chosen) {
      return replay_of(replay_.choose([&](int32_t, uint32_t operation) {
        return grid_.operations()[operation].stage == static_cast<int32_t>(chosen);
      }));
    });
  }

  template <class ReplayOf>
  SlowdownByKey by_type(const ReplayedSteps& base, std::string (*name_of)(const GridOperation&),
                        ReplayOf&& replay_of) const {
    std::vector<std::string> of_operation;
    for (const GridOperation& operation : grid_.operations()) of_operation.push_back(name_of(operation));
    const std::set<std::string> distinct(of_operation.begin(), of_operation.end());
    const std::vector<std::string> names(distinct.begin(), distinct.end());
    return answer(base, names, [&](size_t chosen) {
      return replay_of(
          replay_.choose([&](int32_t, uint32_t operation) { return of_operation[operation] == names[chosen]; }));
    });
  }

  static std::vector<std::string> numbers_to(int32_t end) {
    std::vector<std::string> numbers;
    for (int32_t number = 0; number < end; ++number) numbers.push_back(std::to_string(number));
    return numbers;
  }
  std::vector<std::string> dp_ranks() const { return numbers_to(grid_.data_parallel_size()); }

  void score_ranks() {
    for (int32_t dp_rank = 0; dp_rank < grid_.data_parallel_size(); ++dp_rank) {
      for (int32_t stage = 0; stage < grid_.stages(); ++stage) {
        RankScore& score =
            answers_.ranks.emplace_back(RankScore{grid_.rank(dp_rank, stage), dp_rank, stage, std::nullopt});
        if (!answers_.of_slowdown) continue;
        score.slowdown = std::min(answers_.of_slowdown->by_dp_rank.keys[static_cast<size_t>(dp_rank)].slowdown,
                                  answers_.of_slowdown->by_stage.keys[static_cast<size_t>(stage)].slowdown);
      }
    }
    std::sort(answers_.ranks.begin(), answers_.ranks.end(),
              [](const RankScore& a, const RankScore& b) { return a.rank < b.rank; });
  }

  std::vector<RankScore> worst_ranks() const {
    std::vector<RankScore> ranks = answers_.ranks;
    std::stable_sort(ranks.begin(), ranks.end(),
                     [](const RankScore& a, const RankScore& b) { return a.slowdown > b.slowdown; });
    ranks.resize((kWorstPercent * ranks.size() + 99) / 100);
    return ranks;
  }
  template <class Holds>
  std::vector<RankScore> ranks_if(Holds&& holds) const {
    std::vector<RankScore> ranks;
    std::copy_if(answers_.ranks.begin(), answers_.ranks.end(), std::back_inserter(ranks), holds);
    return ranks;
  }

  Explanation explain(const std::vector<RankScore>& chosen) const {
    std::set<std::pair<int32_t, int32_t>> workers;
    Explanation result;
    for (const RankScore& rank : chosen) {
      workers.emplace(rank.dp_rank, rank.stage);
      result.ranks.push_back(rank.rank);
    }
    const auto is_theirs = [&](int32_t dp_rank, uint32_t operation) {
      return workers.count({dp_rank, grid_.operations()[operation].stage}) != 0;
    };
    result.alone_s = mean_full(replay_.mixed(replay_.choose(is_theirs)));
    result.repaired_s = mean_full(replay_.mixed(
        replay_.choose([&](int32_t dp_rank, uint32_t operation) { return !is_theirs(dp_rank, operation); })));
    const double slowdown_s = answers_.without_delays_s - answers_.ideal_s;
    if (std::abs(slowdown_s) <= kRounding * answers_.without_delays_s) return result;
    result.removed = (answers_.without_delays_s - result.repaired_s) / slowdown_s;
    result.added = (result.alone_s - answers_.ideal_s) / slowdown_s;
    return result;
  }

  const OperationGrid& grid_;
  const JobReplay& replay_;
  StragglerAnswers& answers_;
};

}  // namespace

Status answer_stragglers(const OperationTrace& trace, const std::optional<StepRange>& steps,
                         StragglerAnswers& answers) {
  OperationGrid grid;
  JobFacts facts;
  if (Status status = read_job_facts(trace, facts); !status.is_ok()) return status;
  if (Status status = grid.fill(trace); !status.is_ok()) return status;
  JobReplay replay(grid);
  if (Status status = replay.make(facts.uses_data_parallel(grid.data_parallel_size()), steps); !status.is_ok())
    return status;
  answers.job = trace.job;
  answers.data_parallel_size = grid.data_parallel_size();
  answers.stages = grid.stages();
  answers.chunks = grid.chunks();
  answers.world_size = facts.world_size;
  answers.operations = grid.operations().size();
  answers.dependencies = replay.graph().edge_count() / static_cast<size_t>(grid.data_parallel_size());
  answers.steps_outside = grid.steps().size() - replay.steps().size();
  Answering(grid, replay, answers).run();
  return Status::ok();
}

Status check_operation_trace(const OperationTrace& trace) {
  OperationGrid grid;
  JobFacts facts;
  if (Status status = read_job_facts(trace, facts); !status.is_ok()) return status;
  if (Status status = grid.fill(trace); !status.is_ok()) return status;
  JobDependencies dependencies;
  OperationGraph<double> graph;
  const bool uses_data_parallel = facts.uses_data_parallel(grid.data_parallel_size());
  if (Status status = find_dependencies(grid, uses_data_parallel, dependencies); !status.is_ok()) return status;
  return make_graph(grid, dependencies, grid.data_parallel_size(), graph);
}

}  // namespace tauprof
