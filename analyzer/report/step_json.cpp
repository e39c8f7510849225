#include "report/step_json.h"

#include "report/throughput.h"
#include "report/value_names.h"

namespace tauprof {

namespace {

const char* origin_name(StepOrigin origin) {
  switch (origin) {
    case StepOrigin::kMarker:
      return "marker";
    case StepOrigin::kPytorch:
      return "pytorch";
    case StepOrigin::kTrace:
      return "trace";
    case StepOrigin::kInferred:
      return "inferred";
    default:
      return "none";
  }
}

Json source_of(const std::optional<InputRate>& rate) {
  return rate ? Json(rate->is_asked ? "pytorch" : "user") : Json(nullptr);
}

}  // namespace

Json steps_json(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  const std::optional<InputRate> samples = sample_rate(report), tokens = token_rate(report);
  Json list = Json::array();
  for (const StepDuration& step : metrics.steps.analysed)
    list.push_back({{"step", step.number},
                    {"duration_ns", step.device_ns ? nanoseconds_json(*step.device_ns) : Json(nullptr)},
                    {"host_duration_ns", step.host_ns > 0 ? nanoseconds_json(step.host_ns) : Json(nullptr)}});
  return {{"unit", report.unit()},
          {"count", metrics.steps.analysed.size()},
          {"warmup", metrics.steps.warmup},
          {"unwanted", metrics.unwanted_steps},
          {"in_gaps", metrics.steps_in_gaps},
          {"outside_share", metrics.outside_steps.share()},
          {"origin", origin_name(report.facts.steps_origin)},
          {"detected_by", valid_utf8(report.facts.steps_source)},
          {"confidence", report.facts.steps_confidence},
          {"reason", valid_utf8(report.facts.steps_reason)},
          {"duration_ns", statistics_json(metrics.step_duration)},
          {"host_duration_ns", statistics_json(metrics.host_duration)},
          {"samples_per_s", samples ? Json(samples->per_second) : Json(nullptr)},
          {"samples_from", source_of(samples)},
          {"tokens_per_s", tokens ? Json(tokens->per_second) : Json(nullptr)},
          {"tokens_from", source_of(tokens)},
          {"list", list}};
}

Json phases_json(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const PhaseMetrics& phase : metrics.phases)
    result.push_back({{"name", phase.name},
                      {"derived", phase.is_derived},
                      {"host_ns", statistics_json(phase.host)},
                      {"host_issuing_ns", statistics_json(phase.issuing)},
                      {"host_blocked_ns", statistics_json(phase.blocked)},
                      {"device_ns", statistics_json(phase.device)},
                      {"host_of_ranks_ns", statistics_json(phase.host_of_ranks)},
                      {"device_of_ranks_ns", statistics_json(phase.device_of_ranks)},
                      {"host_share", or_null(phase.host_share)},
                      {"device_share", or_null(phase.device_share)}});
  return result;
}

}  // namespace tauprof
