#include "report/whatif_json.h"

#include <cmath>

#include "model/terminal_text.h"
#include "report/json_values.h"

namespace tauprof {
namespace {

Json scenario_json(const ScenarioAnswer& scenario, const WhatIfReport& report) {
  const std::optional<double>& step = scenario.answer.step_ns;
  const auto saved = [&](double step_ns) { return Json(std::llround(report.step_ns) - std::llround(step_ns)); };
  const Answer::Bounds bounds = scenario.answer.between().value_or(Answer::Bounds{step.value_or(0), step.value_or(0)});
  return {{"changes", scenario.changes},
          {"step_ns", step ? nanoseconds_json(*step) : Json(nullptr)},
          {"saves_ns_per_step", step ? saved(*step) : Json(nullptr)},
          {"saves_low_ns_per_step", step ? saved(bounds.most_ns) : Json(nullptr)},
          {"saves_high_ns_per_step", step ? saved(bounds.least_ns) : Json(nullptr)},
          {"rests_on", scenario.answer.rests_on},
          {"saves_share", step ? Json((report.step_ns - *step) / report.step_ns) : Json(nullptr)},
          {"contention_ns_per_step", step ? nanoseconds_json(scenario.answer.contention_ns) : Json(nullptr)},
          {"reason", text_or_null(scenario.answer.reason)}};
}

}  // namespace

std::string whatif_json(const WhatIfReport& report) {
  Json scenarios = Json::array();
  for (const ScenarioAnswer& scenario : report.scenarios) scenarios.push_back(scenario_json(scenario, report));
  const Json json = {{"schema", "tauprof.whatif/1"},
                     {"run_id", text_or_null(report.run_id)},
                     {"ranks", report.ranks},
                     {"steps", report.steps},
                     {"limited_to", text_or_null(report.limited_to)},
                     {"left_out_steps", report.left_out_steps},
                     {"unit", report.unit},
                     {"step_ns", report.step_ns > 0 ? nanoseconds_json(report.step_ns) : Json(nullptr)},
                     {"replay_error", report.error ? Json(report.error->mean) : Json(nullptr)},
                     {"replay_error_worst", report.error ? Json(report.error->worst) : Json(nullptr)},
                     {"explained_share", or_null(report.explained_share)},
                     {"contention_loss", or_null(report.contention_loss)},
                     {"scenarios", scenarios},
                     {"best_bucket_mb", or_null(report.best_bucket_mib)}};
  return terminal_json(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tauprof
