#include "metrics/efficiency/gemm_table.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tauprof {
namespace {

// Calls take(row) for each row of the analysed steps. Steps that the user left out never entered the ranks' tables.
// Each step that may be warm-up has a table of its own.
template <class Row, class Take>
void for_rows(const RankTimeline& rank, const std::vector<std::vector<Row>>& tables, const StepSelection& steps,
              Take&& take) {
  for (size_t table = 0; table < tables.size(); ++table) {
    if (table < kLeadingSteps && !steps.has(rank.steps[table].number)) continue;
    for (const Row& row : tables[table]) take(row);
  }
}

}  // namespace

std::vector<GemmMetrics> gemm_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                                    const PeaksOfRanks& peaks) {
  std::map<std::tuple<std::string, GemmShape, Precision>, GemmMetrics> sums;
  for (size_t i = 0; i < ranks.size(); ++i)
    for_rows(*ranks[i], ranks[i]->gemms, steps, [&](const GemmTotal& row) {
      const RankGemm& kind = ranks[i]->gemm_kinds[row.kind];
      const auto [found, is_new] = sums.try_emplace({kind.function, kind.shape, kind.precision});
      GemmMetrics& sum = found->second;
      if (is_new) sum = {kind.function, kind.shape, kind.precision, 0, 0, 0.0};
      sum.count += row.count;
      sum.total += row.total;
      const double peak = peaks[i][static_cast<size_t>(kind.precision)];
      if (peak <= 0)
        sum.ideal_ns.reset();
      else if (sum.ideal_ns)
        *sum.ideal_ns += 1e9 * kind.shape.flops * static_cast<double>(row.count) / peak;
    });
  std::vector<GemmMetrics> result;
  for (auto& [key, gemm] : sums)
    if (gemm.count > 0) result.push_back(std::move(gemm));
  std::stable_sort(result.begin(), result.end(),
                   [](const GemmMetrics& a, const GemmMetrics& b) { return a.lost_ns() > b.lost_ns(); });
  return result;
}

std::vector<UncountedKernels> uncounted_table(const std::vector<const RankTimeline*>& ranks,
                                              const StepSelection& steps) {
  std::map<std::pair<std::string, MatrixKernel>, UncountedKernels> sums;
  for (const RankTimeline* const rank : ranks)
    for_rows(*rank, rank->uncounted, steps, [&](const UncountedTotal& row) {
      const std::string& name = rank->uncounted_names[row.name];
      UncountedKernels& sum = sums[{name, row.kind}];
      sum.name = name;
      sum.kind = row.kind;
      sum.count += row.count;
      sum.total += row.total;
    });
  std::vector<UncountedKernels> result;
  for (auto& [key, kernels] : sums) result.push_back(std::move(kernels));
  std::stable_sort(result.begin(), result.end(),
                   [](const UncountedKernels& a, const UncountedKernels& b) { return a.total > b.total; });
  return result;
}

}  // namespace tauprof
