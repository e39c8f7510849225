#include "report/straggler_json.h"

#include <algorithm>

#include "metrics/stragglers/throttle_reasons.h"

namespace tauprof {

Json stragglers_json(const StragglerReport& report) {
  Json found = Json::array(), ranks = Json::array();
  for (const Straggler& straggler : report.found) {
    Json causes = Json::object();
    for (size_t cause = 0; cause < kCauseCount; ++cause)
      if (straggler.by_cause[cause] > 0)
        causes[std::string(kCauseNames[cause])] = nanoseconds_json(straggler.by_cause[cause]);
    found.push_back({{"rank", straggler.rank},
                     {"score", straggler.score},
                     {"slowdown", or_null(straggler.slowdown)},
                     {"blamed_ns", nanoseconds_json(straggler.blamed_ns)},
                     {"last_share", straggler.last_share},
                     {"lateness_ns", nanoseconds_json(straggler.lateness_ns)},
                     {"cause", kCauseNames[static_cast<size_t>(straggler.cause)]},
                     {"blamed_ns_by_cause", causes},
                     {"excess_ns", straggler.is_suspect() ? nanoseconds_json(straggler.excess_ns) : Json(nullptr)},
                     {"cost_ns_per_step", nanoseconds_json(straggler.cost_ns_per_step)},
                     {"gpu_hours", straggler.gpu_hours},
                     {"throttle_reasons", throttle_reason_names(straggler.throttle_reasons)},
                     {"steps", straggler.steps},
                     {"persistent", straggler.is_persistent},
                     {"confidence", straggler.confidence()},
                     {"within_clock_bound", straggler.is_within_clock_bound}});
  }
  for (const RankBlame& rank : report.ranks) {
    const bool known = rank.collectives > 0;
    ranks.push_back({{"rank", rank.rank},
                     {"blamed_ns", rank.is_timed ? nanoseconds_json(rank.total_ns()) : Json(nullptr)},
                     {"last_share", known ? Json(rank.last_share) : Json(nullptr)},
                     {"lateness_mean_ns", known ? nanoseconds_json(rank.lateness_mean_ns) : Json(nullptr)},
                     {"lateness_p95_ns", known ? nanoseconds_json(rank.lateness_p95_ns) : Json(nullptr)},
                     {"work_ns", rank.has_work ? nanoseconds_json(rank.work_ns) : Json(nullptr)}});
  }
  const bool is_timed =
      std::any_of(report.ranks.begin(), report.ranks.end(), [](const RankBlame& rank) { return rank.is_timed; });
  return {{"found", found},
          {"pattern", is_timed ? Json(kPatternNames[static_cast<size_t>(report.pattern)]) : Json(nullptr)},
          {"unblamed_ns", is_timed ? nanoseconds_json(report.unblamed_ns) : Json(nullptr)},
          {"rules",
           {{"mean_over_1_1", report.has_work ? Json(report.mean_over_1_1) : Json(nullptr)},
            {"z_over_2", report.has_z ? Json(report.z_over_2) : Json(nullptr)}}},
          {"ranks", ranks}};
}

}  // namespace tauprof
