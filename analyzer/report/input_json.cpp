#include "report/input_json.h"

#include "report/throughput.h"

namespace tauprof {
namespace {

Json of_rank(const RankInput& rank) {
  const bool has_groups = !rank.long_steps.empty();
  return {{"rank", rank.rank},
          {"fetch_wait_ns", statistics_json(rank.fetch_wait)},
          {"copy_ns", statistics_json(rank.copy)},
          {"batches", rank.batches},
          {"pattern", kWaitPatternNames[static_cast<size_t>(rank.pattern)]},
          {"every", rank.every > 0 ? Json(rank.every) : Json(nullptr)},
          {"short_wait_ns", has_groups ? nanoseconds_json(rank.short_wait_ns) : Json(nullptr)},
          {"long_wait_ns", has_groups ? nanoseconds_json(rank.long_wait_ns) : Json(nullptr)},
          {"long_steps", rank.long_steps}};
}

}  // namespace

Json input_json(const Report& report) {
  const DataPipeline& input = report.metrics.input;
  const std::optional<InputRate> rate = sample_rate(report);
  Json ranks = Json::array();
  for (const RankInput& rank : input.ranks) ranks.push_back(of_rank(rank));
  return {{"fetch_wait_ns", statistics_json(input.fetch_wait)},
          {"copy_ns", statistics_json(input.copy)},
          {"batches_per_s",
           {{"min", or_null(input.batches_per_s_min)},
            {"mean", or_null(input.batches_per_s_mean)},
            {"max", or_null(input.batches_per_s_max)}}},
          {"samples_per_s", rate ? Json(rate->per_second) : Json(nullptr)},
          {"ranks", ranks}};
}

}  // namespace tauprof
