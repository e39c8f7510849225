#include "report/parallelism_json.h"

#include <algorithm>
#include <cmath>

#include "report/value_names.h"

namespace tauprof {
namespace {

Json sharding_json(const ShardingBalance& of) {
  Json kept = nullptr;
  if (of.kept_bytes)
    kept = {{"more_bytes", *of.kept_bytes},
            {"share_of_device", or_null(of.kept_share_of_device)},
            {"fits", or_null(of.would_fit())},
            {"gone_ns", nanoseconds_json(of.gone_ns)},
            {"gone_exposed_ns", nanoseconds_json(of.gone_exposed_ns)}};
  return {{"gather_ns", nanoseconds_json(of.gather_ns)},
          {"compute_ns", nanoseconds_json(of.compute_ns)},
          {"gathers_over_compute", of.gathers_over_compute()},
          {"if_weights_were_kept", kept}};
}

}  // namespace

Json parallelism_json(const RunMetrics& metrics) {
  Json result = Json::array();
  for (size_t i = 0; i < metrics.parallelism.size(); ++i) {
    const ParallelGroups& of = metrics.parallelism[i];
    const auto sharding = std::find_if(metrics.sharding.begin(), metrics.sharding.end(),
                                       [&](const ShardingBalance& balance) { return balance.groups == i; });
    Json communicators = Json::array();
    for (const std::string& name : of.communicators) communicators.push_back(valid_utf8(name));
    result.push_back(
        {{"kind", kParallelismNames[static_cast<size_t>(of.kind)]},
         {"evidence", of.is_by_name ? "name" : "traffic"},
         {"sequences", of.has_sequences},
         {"sharding",
          of.sharding == Sharding::kNone ? Json(nullptr) : Json(kShardingNames[static_cast<size_t>(of.sharding)])},
         {"ranks", of.size},
         {"groups", of.groups},
         {"comms", communicators},
         {"calls_per_step", of.calls},
         {"bytes_per_step", of.bytes > 0 ? Json(std::llround(of.bytes)) : Json(nullptr)},
         {"span_ns_per_step", nanoseconds_json(of.span_ns)},
         {"wait_ns_per_step", nanoseconds_json(of.wait_ns)},
         {"exposed_ns_per_step", nanoseconds_json(of.exposed_ns)},
         {"share_of_step", of.share_of_step},
         {"exposed_share", of.exposed_share},
         {"balance", sharding == metrics.sharding.end() ? Json(nullptr) : sharding_json(*sharding)}});
  }
  return result;
}

}  // namespace tauprof
