#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "diff/comparisons.h"
#include "diff/stretch_times.h"

namespace tauprof {
namespace {

using Runs = std::vector<AnalyzedRun>;
using Key = std::tuple<std::string, log::Operation, log::DataType, int32_t, std::optional<int64_t>>;

// Several lists of one size together have the bandwidth of all their bytes over all their time: the harmonic mean.
struct Bandwidth {
  void add(const CollectiveMetrics& collective) {
    is_known &= collective.busbw_gb_per_s.has_value() && *collective.busbw_gb_per_s > 0;
    if (!is_known) return;
    const auto timed = static_cast<double>(collective.count - collective.untimed);
    count += timed;
    weighted += timed / *collective.busbw_gb_per_s;
  }
  std::optional<double> gb_per_s() const {
    return is_known && weighted > 0 ? std::optional(count / weighted) : std::nullopt;
  }

  bool is_known = true;
  double count = 0;
  double weighted = 0;
};

struct SideOfCollective {
  uint64_t count = 0;
  Bandwidth bandwidth;
};

struct CollectiveOfSides {
  StretchTimesOfSides span, exposed;
  SideOfCollective a, b;
};

using Collectives = std::map<Key, CollectiveOfSides>;

void add(const Runs& runs, StretchTimes StretchTimesOfSides::*side, SideOfCollective CollectiveOfSides::*facts,
         Collectives& collectives) {
  for (size_t run = 0; run < runs.size(); ++run)
    for (const CollectiveMetrics& collective : runs[run].report.metrics.communication.collectives) {
      CollectiveOfSides& sides =
          collectives[{collective.is_named ? collective.communicator : std::string(), collective.operation,
                       collective.datatype, collective.ranks, collective.size_bytes}];
      (sides.span.*side).add(run, collective.span_per_step);
      (sides.exposed.*side).add(run, collective.exposed_per_step);
      (sides.*facts).count += collective.count;
      (sides.*facts).bandwidth.add(collective);
    }
}

CollectiveDiff diff_of(const Key& key, const CollectiveOfSides& sides, const Runs& a, const Runs& b) {
  CollectiveDiff diff;
  std::tie(diff.communicator, diff.operation, diff.datatype, diff.ranks, diff.size_bytes) = key;
  diff.a_count = sides.a.count;
  diff.b_count = sides.b.count;
  diff.a_busbw_gb_per_s = sides.a.bandwidth.gb_per_s();
  diff.b_busbw_gb_per_s = sides.b.bandwidth.gb_per_s();
  diff.time = sides.span.judge(a, b);
  diff.exposed = sides.exposed.judge(a, b);
  return diff;
}

}  // namespace

std::vector<CollectiveDiff> compare_collectives(const Runs& a, const Runs& b) {
  if (!have_device_times(a) || !have_device_times(b)) return {};
  Collectives collectives;
  add(a, &StretchTimesOfSides::a, &CollectiveOfSides::a, collectives);
  add(b, &StretchTimesOfSides::b, &CollectiveOfSides::b, collectives);
  std::vector<CollectiveDiff> result;
  for (const auto& [key, sides] : collectives) result.push_back(diff_of(key, sides, a, b));
  std::vector<JudgedTime*> times, exposed;
  for (CollectiveDiff& collective : result) {
    times.push_back(&collective.time);
    exposed.push_back(&collective.exposed);
  }
  adjust_for_many(times);
  adjust_for_many(exposed);
  std::stable_sort(result.begin(), result.end(), [](const CollectiveDiff& x, const CollectiveDiff& y) {
    const auto size = [](const JudgedTime& time) { return std::llabs(time.difference_ns()); };
    return std::tuple(size(x.exposed), size(x.time)) > std::tuple(size(y.exposed), size(y.time));
  });
  return result;
}

}  // namespace tauprof
