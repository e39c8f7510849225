#include "report/json_documents.h"
#include "report/json_sections.h"

namespace tauprof {

// A scenario beside the measured step.
struct AnsweredScenario {
  const ScenarioAnswer& scenario;
  const WhatIfReport& report;

  const Answer& answer() const { return scenario.answer; }
  // Null where the step is not known.
  std::optional<int64_t> saved(double step_ns) const {
    return when(answer().step_ns.has_value(), rounded(report.step_ns) - rounded(step_ns));
  }
  Answer::Bounds bounds() const {
    const double step = answer().step_ns.value_or(0);
    return answer().between().value_or(Answer::Bounds{step, step});
  }
};

Fields<AnsweredScenario> fields_of(const AnsweredScenario*) {
  return {
      "ScenarioAnswer",
      "What the step becomes if all changes hold together",
      {
          {"changes", [](const AnsweredScenario& s) { return s.scenario.changes; }, "as asked"},
          {"step_ns", [](const AnsweredScenario& s) { return rounded(s.answer().step_ns); },
           "the mean step with them; `null`: not known"},
          {"saves_ns_per_step", [](const AnsweredScenario& s) { return s.saved(s.answer().step_ns.value_or(0)); },
           "by how much it is shorter than the measured one"},
          {"saves_low_ns_per_step", [](const AnsweredScenario& s) { return s.saved(s.bounds().most_ns); },
           "at least, see [bounds](replay.md#doubt)"},
          {"saves_high_ns_per_step", [](const AnsweredScenario& s) { return s.saved(s.bounds().least_ns); }, "at most"},
          {"rests_on", [](const AnsweredScenario& s) { return s.answer().rests_on; },
           "calls and kernels that wait for something that is only assumed, and on which the answer depends"},
          {"saves_share",
           [](const AnsweredScenario& s) {
             const double measured = s.report.step_ns;
             return when(s.answer().step_ns.has_value(), (measured - s.answer().step_ns.value_or(0)) / measured);
           },
           "of the measured step"},
          {"contention_ns_per_step",
           [](const AnsweredScenario& s) {
             return when(s.answer().step_ns.has_value(), rounded(s.answer().contention_ns));
           },
           "how much of that is because kernels run beside less communication"},
          {"reason", [](const AnsweredScenario& s) { return known(s.answer().reason); },
           "why the step is not known; `null`: it is"},
      }};
}

Fields<WhatIfReport> fields_of(const WhatIfReport*) {
  using Answers = WhatIfReport;
  const auto error = [](double ReplayError::*which) {
    return [which](const Answers& a) { return a.error ? std::optional((*a.error).*which) : std::nullopt; };
  };
  return {"Answers",
          "A run replayed with something changed",
          {
              {"schema", [](const Answers&) { return "tauprof.whatif/1"; }, "`tauprof.whatif/1`"},
              {"run_id", known(&Answers::run_id), "the run's id; `null`: not recorded"},
              {"ranks", &Answers::ranks, "how many"},
              {"steps", &Answers::steps, "how many are replayed"},
              {"limited_to", known(&Answers::limited_to),
               "which steps these are, where some [cannot be known](replay.md#how-far-it-can-be-trusted) or [not all "
               "fit into memory](replay.md#what-it-does-not-know); `null`: all analysed ones"},
              {"left_out_steps", &Answers::left_out_steps, "how many of the analysed ones cannot be known"},
              {"unit", &Answers::unit, "`step`, or `slice` where no steps are known"},
              {"step_ns", [](const Answers& a) { return when(a.step_ns > 0, rounded(a.step_ns)); },
               "measured, their mean; `null`: nothing can be replayed"},
              {"replay_error", error(&ReplayError::mean), "share of the step by which the unchanged replay is off"},
              {"replay_error_worst", error(&ReplayError::worst), "the same of the step that is worst"},
              {"explained_share", &Answers::explained_share,
               "of the waiting of hosts in calls and of device work for other streams, the share whose cause is "
               "recorded or tested; `null`: nothing waits"},
              {"contention_loss", &Answers::contention_loss,
               "share of their speed that kernels lose beside communication; `null`: none is known"},
              {"scenarios",
               [](const Answers& a) {
                 std::vector<AnsweredScenario> scenarios;
                 for (const ScenarioAnswer& scenario : a.scenarios) scenarios.push_back({scenario, a});
                 return scenarios;
               },
               "in the order of the options"},
              {"best_bucket_mb", &Answers::best_bucket_mib,
               "the size of `--bucket-mb` with the shortest step; `null`: not asked, or none is known"},
          }};
}

std::string whatif_json(const WhatIfReport& report) { return document_of(report); }

std::string whatif_schema() { return schema_of<WhatIfReport>("tauprof whatif"); }

}  // namespace tauprof
