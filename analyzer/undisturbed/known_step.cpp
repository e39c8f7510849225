#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "limits/analysis_limits.h"
#include "replay/changes.h"
#include "undisturbed/earlier_starts.h"
#include "undisturbed/host_work.h"
#include "undisturbed/undisturbed_run.h"

namespace tauprof {
namespace {

void scale_host(const RunGraph& run, double factor, Changes& changes) {
  EarlierStarts earlier(run);
  for (const size_t rank : first_ranks(run)) {
    const std::vector<OperationLabel>& operations = run.process(rank).operations;
    for (uint32_t i = 0; i < operations.size(); ++i) {
      if (is_own_work(operations[i])) changes.scale(run.id_of(rank, i), factor);
      if (operations[i].kind != OperationKind::kBetween) continue;
      const OperationId before = run.id_of(rank, i);
      const Nanoseconds took = run.measured()[run.id_of(rank, i + 1)].end - run.measured()[before].end;
      earlier.shorten_call(before, took, std::llround(factor * static_cast<double>(took)));
    }
  }
  earlier.apply(changes);
}

// "22.43 ms"
std::string milliseconds(double ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g ms", ns / 1e6);
  return text;
}

}  // namespace

UndisturbedRun undisturbed_by_step_time(RunGraph& run, double step_ns) {
  UndisturbedRun result;
  Disturbance& disturbance = result.disturbance;
  const double measured = run.mean_step(run.measured());
  const auto replayed = [&](double factor) {
    Changes changes(run);
    scale_host(run, factor, changes);
    return changes.replayed();
  };
  const double slack = kSameStep * step_ns;
  double most = 1, least = kLeastHostFactor;
  if (step_ns > measured + slack) {
    disturbance.reason = "the recorded step takes " + milliseconds(measured) + ": no recording makes a job faster";
    return result;
  }
  if (const double fastest = replayed(least).step_ns; fastest > step_ns + slack) {
    disturbance.reason = "with a host that takes less than a third of its recorded time the step still takes " +
                         milliseconds(fastest) + ": something else was different in that run";
    return result;
  }
  if (measured <= step_ns + slack) least = 1;
  for (int i = 0; i < 20 && most - least > 1e-5; ++i) {
    const double middle = (most + least) / 2;
    (replayed(middle).step_ns > step_ns ? most : least) = middle;
  }
  disturbance.source = HostSource::kStepTime;
  disturbance.light_step_ns = step_ns;
  disturbance.full_step_ns = measured;
  disturbance.slowdown = measured / step_ns - 1;
  disturbance.host_factor = most;
  result.schedule = replayed(most).schedule;
  return result;
}

}  // namespace tauprof
