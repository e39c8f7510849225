#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "diff/comparisons.h"
#include "diff/stretch_times.h"

namespace tauprof {
namespace {

using Runs = std::vector<AnalyzedRun>;

struct KernelOfSides {
  StretchTimesOfSides time;
  double a_count = 0;  // per rank and step, sum over the runs
  double b_count = 0;
};

using Kernels = std::map<std::pair<std::string, SpanClass>, KernelOfSides>;

void add(const Runs& runs, StretchTimes StretchTimesOfSides::*side, double KernelOfSides::*count, Kernels& kernels) {
  for (size_t run = 0; run < runs.size(); ++run) {
    const RunMetrics& metrics = runs[run].report.metrics;
    for (const KernelMetrics& kernel : metrics.work.kernels) {
      KernelOfSides& k = kernels[{kernel.name, kernel.span_class}];
      (k.time.*side).add(run, kernel.per_step);
      k.*count += static_cast<double>(kernel.count) / static_cast<double>(std::max<size_t>(1, metrics.time.windows));
    }
  }
}

}  // namespace

std::vector<KernelDiff> compare_kernels(const Runs& a, const Runs& b) {
  if (!have_device_times(a) || !have_device_times(b)) return {};
  Kernels kernels;
  add(a, &StretchTimesOfSides::a, &KernelOfSides::a_count, kernels);
  add(b, &StretchTimesOfSides::b, &KernelOfSides::b_count, kernels);
  std::vector<KernelDiff> result;
  for (const auto& [key, of] : kernels)
    result.push_back({key.first, key.second, of.a_count / static_cast<double>(a.size()),
                      of.b_count / static_cast<double>(b.size()), of.time.judge(a, b)});
  std::vector<JudgedTime*> table;
  for (KernelDiff& kernel : result) table.push_back(&kernel.time);
  adjust_for_many(table);
  std::stable_sort(result.begin(), result.end(), [](const KernelDiff& x, const KernelDiff& y) {
    return std::llabs(x.time.difference_ns()) > std::llabs(y.time.difference_ns());
  });
  return result;
}

}  // namespace tauprof
