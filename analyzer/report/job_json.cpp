#include <charconv>
#include <cmath>

#include "report/json_sections.h"

namespace tauprof {
namespace {

// A step of a hostile trace may take no time at all.
std::optional<double> finite(double ratio) { return when(std::isfinite(ratio), ratio); }
std::optional<double> finite(const std::optional<double>& ratio) { return ratio ? finite(*ratio) : std::nullopt; }

int64_t nanoseconds(double seconds) { return rounded(seconds * 1e9); }

// As of the mean step, or of one.
using Slowdowns = std::optional<Named<std::optional<double>>>;

Slowdowns slowdowns(const std::optional<Decomposition>& of, SlowdownByKey Decomposition::*by,
                    std::optional<size_t> step = std::nullopt) {
  if (!of || ((*of).*by).keys.empty()) return std::nullopt;
  Named<std::optional<double>> values;
  for (const SlowdownByKey::Key& key : ((*of).*by).keys)
    values.emplace_back(key.name, finite(step ? key.of_step[*step] : key.slowdown));
  return values;
}

}  // namespace

Fields<Explanation> fields_of(const Explanation*) {
  return {
      "Explanation",
      "What some ranks have to do with the slowdown",
      {
          {"ranks", &Explanation::ranks, "these"},
          {"t_repaired_ns", [](const Explanation& e) { return nanoseconds(e.repaired_s); },
           "a mean step if they alone had ideal times"},
          {"t_alone_ns", [](const Explanation& e) { return nanoseconds(e.alone_s); }, "a mean step if all others had"},
          {"removed", [](const Explanation& e) { return finite(e.removed); },
           "share of the slowdown that goes with them: M_W or M_S"},
          {"added", [](const Explanation& e) { return finite(e.added); },
           "share of the slowdown that they alone bring"},
      }};
}

// One step of an operation trace.
struct AnsweredStep {
  const StragglerAnswers& answers;
  size_t index;

  const JobStep& step() const { return answers.steps[index]; }
};

namespace {

auto time_of(double JobStep::*seconds) {
  return [seconds](const AnsweredStep& step) { return nanoseconds(step.step().*seconds); };
}

auto slowdowns_of(std::optional<Decomposition> StragglerAnswers::*of, SlowdownByKey Decomposition::*by) {
  return [of, by](const AnsweredStep& step) { return slowdowns(step.answers.*of, by, step.index); };
}

}  // namespace

Fields<AnsweredStep> fields_of(const AnsweredStep*) {
  constexpr auto kSlowdown = &StragglerAnswers::of_slowdown;
  constexpr auto kLaunch = &StragglerAnswers::of_launch_slowdown;
  return {"OperationStep",
          "A step of an operation trace; keys as of the mean step",
          {
              {"step", [](const AnsweredStep& s) { return s.step().number; }, "its number"},
              {"t_measured_ns", time_of(&JobStep::recorded_s), "recorded"},
              {"t_nodelay_ns", time_of(&JobStep::without_delays_s), "replayed without delays"},
              {"t_ideal_ns", time_of(&JobStep::ideal_to_update_s), "ideal, to the last `optimizer`"},
              {"t_ideal_to_last_end_ns", time_of(&JobStep::ideal_s), "ideal, to the last end of all operations"},
              {"slowdown", [](const AnsweredStep& s) { return finite(s.step().slowdown); }, "its S"},
              {"launch_slowdown", [](const AnsweredStep& s) { return finite(s.step().launch_slowdown); },
               "of launch delays"},
              {"by_op", slowdowns_of(kSlowdown, &Decomposition::by_type), "its slowdowns by operation"},
              {"by_dp_rank", slowdowns_of(kSlowdown, &Decomposition::by_dp_rank), "by data-parallel rank"},
              {"by_stage", slowdowns_of(kSlowdown, &Decomposition::by_stage), "by stage"},
              {"launch_by_op", slowdowns_of(kLaunch, &Decomposition::by_type), "of launch delays, by operation"},
              {"launch_by_dp_rank", slowdowns_of(kLaunch, &Decomposition::by_dp_rank), "by data-parallel rank"},
              {"launch_by_stage", slowdowns_of(kLaunch, &Decomposition::by_stage), "by stage"},
          }};
}

namespace {

// Keys of recorded runs alone, and of operation traces alone.
template <class Function>
auto of_run(Function function) {
  using Result = std::invoke_result_t<Function, const Savings&>;
  return
      [function](const ReplayOfRun& replay) { return OrAbsent<Result>(when(!replay.job, function(replay.savings))); };
}

template <class Function>
auto of_job(Function function) {
  using Result = std::invoke_result_t<Function, const StragglerAnswers&>;
  return [function](const ReplayOfRun& replay) {
    return replay.job ? OrAbsent<Result>(function(*replay.job)) : OrAbsent<Result>(std::nullopt);
  };
}

auto job_time(double StragglerAnswers::*seconds) {
  return of_job([seconds](const StragglerAnswers& a) { return nanoseconds(a.*seconds); });
}

auto job_slowdowns(std::optional<Decomposition> StragglerAnswers::*of, SlowdownByKey Decomposition::*by) {
  return of_job([of, by](const StragglerAnswers& a) { return slowdowns(a.*of, by); });
}

std::optional<double> mean_error(const ReplayOfRun& replay) {
  if (replay.job) return finite(replay.job->replay_error);
  return replay.savings.error ? std::optional(replay.savings.error->mean) : std::nullopt;
}

Slowdowns slowdown_by_rank(const StragglerAnswers& answers) {
  if (!answers.of_slowdown) return std::nullopt;
  Named<std::optional<double>> ranks;
  for (const RankScore& rank : answers.ranks) ranks.emplace_back(std::to_string(rank.rank), finite(rank.slowdown));
  return ranks;
}

using NumberOrText = std::variant<int64_t, std::string>;

NumberOrText number_or_text(const std::string& value) {
  int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  if (error == std::errc() && rest == end) return number;
  return value;
}

Named<NumberOrText> description(const StragglerAnswers& answers) {
  Named<NumberOrText> values;
  for (const auto& [name, value] : answers.job) values.emplace_back(name, number_or_text(value));
  return values;
}

std::vector<AnsweredStep> steps_of(const StragglerAnswers& answers) {
  std::vector<AnsweredStep> steps;
  for (size_t i = 0; i < answers.steps.size(); ++i) steps.push_back({answers, i});
  return steps;
}

}  // namespace

Fields<ReplayOfRun> fields_of(const ReplayOfRun*) {
  constexpr auto kSlowdown = &StragglerAnswers::of_slowdown;
  constexpr auto kLaunch = &StragglerAnswers::of_launch_slowdown;
  return {
      "WhatIf",
      "The run replayed. What follows `left_out_steps` is of imported operation traces only",
      {
          {"replay_error", mean_error, "mean over the steps; `null`: one step, or not replayed"},
          {"replay_error_worst",
           of_run([](const Savings& s) { return s.error ? std::optional(s.error->worst) : std::nullopt; }),
           "of the worst step"},
          {"reason", of_run([](const Savings& s) { return known(s.reason); }),
           "why nothing was replayed; `null`: it was"},
          {"combined_saving_ns_per_step",
           [](const ReplayOfRun& r) { return r.job ? std::nullopt : rounded(r.savings.combined_ns_per_step); },
           "all repairs that could be replayed, together; `null`: none"},
          {"combined_contention_ns_per_step", of_run([](const Savings& s) {
             return when(s.combined_ns_per_step.has_value(), rounded(s.combined_contention_ns_per_step));
           }),
           "what of that is due to kernels that run beside less communication"},
          {"contention_loss", of_run([](const Savings& s) { return s.contention_loss; }),
           "the share of their speed that kernels lose beside communication; `null`: none is known"},
          {"limited_to", of_run([](const Savings& s) { return known(s.limited_to); }),
           "which steps were replayed, where some cannot be known, or not all fit into memory; `null`: all"},
          {"left_out_steps", of_run([](const Savings& s) { return std::optional(s.left_out_steps); }),
           "how many of the analysed steps prices leave out, because it is not known how long ranks wait in them"},
          {"t_measured_ns", job_time(&StragglerAnswers::recorded_s), "mean step, recorded"},
          {"t_nodelay_ns", job_time(&StragglerAnswers::without_delays_s), "mean step, replayed without delays"},
          {"t_ideal_ns", job_time(&StragglerAnswers::ideal_to_update_s), "mean step, ideal, to the last `optimizer`"},
          {"t_ideal_to_last_end_ns", job_time(&StragglerAnswers::ideal_s),
           "the same, to the last end of all operations"},
          {"slowdown", of_job([](const StragglerAnswers& a) { return finite(a.slowdown); }), "S"},
          {"by_rank", of_job(slowdown_by_rank), "slowdowns by rank; `null`, as those by other keys, under 1.03"},
          {"by_op", job_slowdowns(kSlowdown, &Decomposition::by_type),
           "by type of operation; messages are `forward-pp-comm` and `backward-pp-comm`"},
          {"by_dp_rank", job_slowdowns(kSlowdown, &Decomposition::by_dp_rank), "by data-parallel rank"},
          {"by_stage", job_slowdowns(kSlowdown, &Decomposition::by_stage), "by stage"},
          {"m_w", of_job([](const StragglerAnswers& a) {
             return a.worst_ranks ? finite(a.worst_ranks->removed) : std::nullopt;
           }),
           "M_W, a share; `null` where it is not defined"},
          {"m_s", of_job([](const StragglerAnswers& a) { return finite(a.last_stage.removed); }), "M_S, likewise"},
          {"m_w_detail", of_job([](const StragglerAnswers& a) { return a.worst_ranks; }), "of the slowest ranks"},
          {"m_s_detail", of_job([](const StragglerAnswers& a) { return a.last_stage; }), "of the last stage"},
          {"launch_slowdown", of_job([](const StragglerAnswers& a) { return finite(a.launch_slowdown); }),
           "of launch delays"},
          {"launch_by_op", job_slowdowns(kLaunch, &Decomposition::by_type), "of these, by type of operation"},
          {"launch_by_dp_rank", job_slowdowns(kLaunch, &Decomposition::by_dp_rank), "by data-parallel rank"},
          {"launch_by_stage", job_slowdowns(kLaunch, &Decomposition::by_stage), "by stage"},
          {"job", of_job(description), "as `meta.yaml` describes it"},
          {"operations_per_step", of_job([](const StragglerAnswers& a) { return a.operations; }),
           "of one data-parallel rank"},
          {"dependencies", of_job([](const StragglerAnswers& a) { return a.dependencies; }), "between these"},
          {"by_step", of_job(steps_of), "the analysed steps"},
      }};
}

}  // namespace tauprof
