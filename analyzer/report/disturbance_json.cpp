#include "report/json_sections.h"

namespace tauprof {

Fields<Disturbance> fields_of(const Disturbance*) {
  return {
      "Disturbance",
      "What recording cost the job. Where it is known, all other sections are of the job without it",
      {
          {"source", [](const Disturbance& d) { return when(d.is_corrected(), d.source); },
           "where the host's undisturbed times come from: `light` (steps of this run without device times), "
           "`second-run` (`--host-times`), `step-time` (`--step-time`); `null`: they are those of the recorded run"},
          {"reason", [](const Disturbance& d) { return known(d.reason); }, "why something here is not known"},
          {"light_step_ns", [](const Disturbance& d) { return rounded(d.light_step_ns); },
           "the mean step without device times"},
          {"full_step_ns", [](const Disturbance& d) { return rounded(d.full_step_ns); }, "the mean step with them"},
          {"slowdown", &Disturbance::slowdown, "full ÷ light − 1"},
          {"low", &Disturbance::low, "its 95 % interval, from"},
          {"high", &Disturbance::high, "to; `null` where the length was given"},
          {"full_share", &Disturbance::full_share,
           "the share of the run's steps that have device times; `null`: all have"},
          {"run_slowdown", [](const Disturbance& d) { return d.run_slowdown(); },
           "how much longer recording made the run: `slowdown` × `full_share`"},
          {"pairs", &Disturbance::pairs, "full and light steps with the same calls, from which that follows"},
          {"host_factor", &Disturbance::host_factor, "the host's own time undisturbed, in shares of the recorded one"},
          {"error", &Disturbance::error,
           "how far the mean of light steps that were not used is from what the others predict, in shares of it"},
          {"recorded_ns",
           [](const Disturbance& d) {
             Named<Nanoseconds> rows;
             for (size_t row = 0; row < kLedgerRowCount; ++row)
               rows.emplace_back(std::string(kLedgerRowKinds[row].name), d.recorded[row]);
             return when(d.is_corrected(), rows);
           },
           "the ledger of the recorded run, of the analysed ranks and steps, by row"},
      }};
}

}  // namespace tauprof
