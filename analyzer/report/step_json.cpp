#include "report/json_sections.h"

namespace tauprof {

Fields<Statistics> fields_of(const Statistics*) {
  return {"Statistics",
          "Of times in nanoseconds, mostly one for each step; `null` without any",
          {
              {"mean", rounded(&Statistics::mean), "their mean"},
              {"median", rounded(&Statistics::median), "the middle one; of an even number, the mean of the two"},
              {"p95", rounded(&Statistics::p95), "the 95th percentile"},
              {"min", rounded(&Statistics::min), "the shortest"},
              {"max", rounded(&Statistics::max), "the longest"},
              {"stddev", rounded(&Statistics::stddev), "standard deviation of the population"},
          }};
}

Fields<StepDuration> fields_of(const StepDuration*) {
  return {"Step",
          "An analysed step",
          {
              {"step", &StepDuration::number, "its number"},
              {"duration_ns", rounded(&StepDuration::device_ns), "`null` where no rank has device times"},
              {"host_duration_ns", [](const StepDuration& s) { return when(s.host_ns > 0, rounded(s.host_ns)); },
               "`null` in operation traces"},
          }};
}

namespace {

std::optional<double> per_second(const std::optional<InputRate>& rate) {
  return rate ? std::optional(rate->per_second) : std::nullopt;
}

std::optional<const char*> source_of(const std::optional<InputRate>& rate) {
  return rate ? std::optional(rate->is_asked ? "pytorch" : "user") : std::nullopt;
}

}  // namespace

Fields<StepsOfRun> fields_of(const StepsOfRun*) {
  return {
      "Steps",
      "The steps of the run, and how they were found",
      {
          {"unit", [](const StepsOfRun& s) { return s.report.unit(); },
           "`step`; or `slice`: no steps are known, and slices of time stand in for them"},
          {"count", [](const StepsOfRun& s) { return s.metrics.steps.selection.analysed.size(); }, "analysed steps"},
          {"warmup", [](const StepsOfRun& s) { return s.metrics.steps.selection.warmup; }, "warm-up steps left out"},
          {"unwanted", [](const StepsOfRun& s) { return s.metrics.steps.unwanted_steps; },
           "steps of a rank that were recorded beside the wanted ones (`TAUPROF_START_STEP`, `TAUPROF_STEPS`) and left "
           "out, over the chosen ranks"},
          {"in_gaps", [](const StepsOfRun& s) { return s.metrics.steps.steps_in_gaps; },
           "steps of a rank that were left out because device times are missing in part, over the chosen ranks"},
          {"outside_share", [](const StepsOfRun& s) { return s.metrics.steps.outside_steps.share(); },
           "the part of what was recorded that lies in no step, over the chosen ranks"},
          {"origin", [](const StepsOfRun& s) { return s.facts.steps_origin; },
           "who said where the steps are: `marker` (`TAUPROF_STEP_MARKER`), `pytorch` (its own marks), `trace` (ranges "
           "in the trace), `inferred` (from what was launched), `none` (slices of time)"},
          {"detected_by", [](const StepsOfRun& s) { return s.facts.steps_source; },
           "how they were found; of the least sure rank, as the next two"},
          {"confidence", [](const StepsOfRun& s) { return s.facts.steps_confidence; }, "how sure that is"},
          {"reason", [](const StepsOfRun& s) { return s.facts.steps_reason; }, "and why"},
          {"duration_ns", [](const StepsOfRun& s) { return known(s.metrics.steps.step_duration); }, "of the list"},
          {"host_duration_ns", [](const StepsOfRun& s) { return known(s.metrics.steps.host_duration); }, "of the list"},
          {"samples_per_s", [](const StepsOfRun& s) { return per_second(sample_rate(s.report)); },
           "with `--batch`, or by the loaders' batch size; else `null`"},
          {"samples_from", [](const StepsOfRun& s) { return source_of(sample_rate(s.report)); }, "`user`, `pytorch`"},
          {"tokens_per_s", [](const StepsOfRun& s) { return per_second(token_rate(s.report)); },
           "with `--tokens`, or by what PyTorch's model is called with; else `null`"},
          {"tokens_from", [](const StepsOfRun& s) { return source_of(token_rate(s.report)); }, "`user`, `pytorch`"},
          {"list", [](const StepsOfRun& s) { return s.metrics.steps.selection.analysed; }, "the analysed steps"},
      }};
}

Fields<PhaseMetrics> fields_of(const PhaseMetrics*) {
  return {"Phase",
          "What a phase of the steps takes",
          {
              {"name", &PhaseMetrics::name, "its name"},
              {"derived", &PhaseMetrics::is_derived, "made of other phases, so outside every sum"},
              {"host_ns", known(&PhaseMetrics::host), "on the host, over ranks and steps"},
              {"host_issuing_ns", known(&PhaseMetrics::issuing), "of that, when it was not blocked behind the device"},
              {"host_blocked_ns", known(&PhaseMetrics::blocked), "and when it was"},
              {"device_ns", known(&PhaseMetrics::device), "the union of what the phase launched, over ranks and steps"},
              {"host_of_ranks_ns", known(&PhaseMetrics::host_of_ranks), "over ranks, of each one's mean"},
              {"device_of_ranks_ns", known(&PhaseMetrics::device_of_ranks), "the same on the device"},
              {"host_share", &PhaseMetrics::host_share, "of the host windows"},
              {"device_share", &PhaseMetrics::device_share, "of the device windows"},
          }};
}

}  // namespace tauprof
