#include "pipeline/answer_questions.h"

#include "findings/savings.h"
#include "report/statement_text.h"

namespace tauprof {
namespace {

void describe(const ReplayedRun& run, const std::vector<Scenario>& scenarios, WhatIfReport& report) {
  report.run_id = run.facts.id;
  report.unit = run.facts.is_by_time() ? "slice" : "step";
  report.ranks = run.metrics.ranks.size();
  report.steps = run.metrics.steps.selection.analysed.size();
  for (const Scenario& scenario : scenarios) {
    ScenarioAnswer& one = report.scenarios.emplace_back();
    for (const Question& question : scenario) one.changes.push_back(question.text);
  }
}

// Of the sizes of buckets that were asked, the one with the shortest step.
std::optional<double> best_bucket(const std::vector<Scenario>& scenarios, const WhatIfReport& report) {
  std::optional<double> best;
  double shortest = 0;
  size_t asked = 0;
  for (size_t i = 0; i < scenarios.size(); ++i) {
    const Question& first = scenarios[i].front();
    const std::optional<double>& step = report.scenarios[i].answer.step_ns;
    if (first.kind != Question::Kind::kBuckets) continue;
    ++asked;
    if (!step || (best && *step >= shortest)) continue;
    best = first.bucket_mib;
    shortest = *step;
  }
  return asked > 1 ? best : std::nullopt;
}

}  // namespace

Status answer_questions(const RunChoice& choice, const std::vector<Scenario>& scenarios, WhatIfReport& report,
                        std::vector<std::string>& notes) {
  ReplayedRun run;
  if (const Status loaded = load_run(choice, run, notes); !loaded.is_ok()) return loaded;
  if (!run.operations.empty())
    return Status::error(choice.name() +
                         ": an operation trace, whose questions are fixed: tauprof analyze answers them");
  describe(run, scenarios, report);
  RunGraph& graph = *run.graph;
  report.reason = graph.reason();
  graph.be_about(choice.ranks);
  if (report.reason.empty()) {
    report.step_ns = graph.mean_step(graph.measured());
    report.error = error_of(graph, run.disturbance);
    report.is_predicted = run.disturbance.error.has_value();
    report.is_undisturbed = run.disturbance.is_corrected();
    report.contention_loss = graph.contention().loss();
    report.explained_share = graph.explained_share();
    report.limited_to = run.limited_to();
    report.left_out_steps = run.known_steps.left_out();
    report.steps = graph.step_lengths(graph.measured()).size();
    report.reason =
        report.step_ns > 0 ? text_of(why_not_priced(graph, report.error)) : "no step of this run can be replayed";
    WhatIf what_if(graph, run.ranks, run.matches, run.metrics.communication.links, held_up_ranks(run.findings));
    for (const Scenario& scenario : scenarios)
      for (const Question& question : scenario)
        if (const std::string wrong = what_if.not_there(question); !wrong.empty())
          return Status::error(choice.name() + ": --" + question.text + ": " + wrong);
    for (size_t i = 0; i < scenarios.size() && report.reason.empty(); ++i)
      report.scenarios[i].answer = what_if.answer(scenarios[i]);
  }
  report.best_bucket_mib = best_bucket(scenarios, report);
  if (!report.reason.empty())
    for (ScenarioAnswer& one : report.scenarios) one.answer.reason = report.reason;
  return Status::ok();
}

}  // namespace tauprof
