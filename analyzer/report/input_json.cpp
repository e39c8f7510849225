#include "report/json_sections.h"

namespace tauprof {

Fields<RankInput> fields_of(const RankInput*) {
  return {
      "RankInput",
      "How a rank waits for its batches",
      {
          {"rank", &RankInput::rank, "its number"},
          {"fetch_wait_ns", known(&RankInput::fetch_wait), "waiting for a batch on the host, by step"},
          {"copy_ns", known(&RankInput::copy), "copies of input on the device, by step"},
          {"batches", &RankInput::batches, "that it copied"},
          {"pattern", &RankInput::pattern, "how its waits lie"},
          {"every", [](const RankInput& r) { return when(r.every > 0, r.every); },
           "steps between long waits, where they come evenly"},
          {"short_wait_ns", [](const RankInput& r) { return when(!r.long_steps.empty(), rounded(r.short_wait_ns)); },
           "mean of the short waits; `null`: they are no two groups"},
          {"long_wait_ns", [](const RankInput& r) { return when(!r.long_steps.empty(), rounded(r.long_wait_ns)); },
           "mean of the long ones"},
          {"long_steps", &RankInput::long_steps, "the steps with a long wait"},
      }};
}

struct BatchRate {
  const DataPipeline& pipeline;
};

Fields<BatchRate> fields_of(const BatchRate*) {
  return {"BatchRate",
          "Batches per second of one rank",
          {
              {"min", [](const BatchRate& r) { return r.pipeline.batches_per_s_min; }, "in the slowest step"},
              {"mean", [](const BatchRate& r) { return r.pipeline.batches_per_s_mean; }, "over the whole time"},
              {"max", [](const BatchRate& r) { return r.pipeline.batches_per_s_max; }, "in the fastest step"},
          }};
}

Fields<InputOfRun> fields_of(const InputOfRun*) {
  return {"Input",
          "Loading of batches",
          {
              {"fetch_wait_ns", [](const InputOfRun& i) { return known(i.input.fetch_wait); },
               "waiting for a batch on the host, over ranks and steps"},
              {"copy_ns", [](const InputOfRun& i) { return known(i.input.copy); },
               "copies of input on the device, over ranks and steps"},
              {"batches_per_s", [](const InputOfRun& i) { return BatchRate{i.input}; }, "of one rank"},
              {"samples_per_s",
               [](const InputOfRun& i) { return i.samples ? std::optional(i.samples->per_second) : std::nullopt; },
               "of all ranks, as in `steps`"},
              {"ranks", [](const InputOfRun& i) { return i.input.ranks; }, "each rank"},
          }};
}

}  // namespace tauprof
