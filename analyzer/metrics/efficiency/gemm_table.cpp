#include "metrics/efficiency/gemm_table.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "metrics/efficiency/gemm_precision.h"
#include "metrics/efficiency/moved_bytes.h"
#include "metrics/efficiency/product_rates.h"

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

// Sets the time that each would take at its neighbour's rate, capped at its measured time.
void find_neighbours(std::vector<GemmMetrics>& gemms) {
  ProductRates rates;
  for (const GemmMetrics& gemm : gemms)
    rates.add(gemm.shape, gemm.precision, static_cast<double>(gemm.count), gemm.total);
  for (GemmMetrics& gemm : gemms) {
    const double flops = gemm.shape.flops * static_cast<double>(gemm.count);
    const ProductRate rate = rates.nearest(gemm.shape, gemm.precision, {flops, static_cast<double>(gemm.total)});
    if (rate.flops <= 0) continue;
    const double at_neighbour_ns = flops * rate.total_ns / rate.flops;
    gemm.at_neighbour_ns = std::min(static_cast<double>(gemm.total), std::max(at_neighbour_ns, gemm.least.moving_ns));
  }
}

// The predicted time of `row` of a rank in TF32.
double total_in_tf32_ns(const GemmTotal& row, const RankGemm& kind, const std::string& device_name,
                        double shortest_ns) {
  if (row.count == 0) return static_cast<double>(row.total);
  const auto count = static_cast<double>(row.count);
  return count * in_tf32_ns(static_cast<double>(row.total) / count, kind.shape, device_name, shortest_ns);
}

}  // namespace

std::vector<GemmMetrics> gemm_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                                    const PeaksOfRanks& peaks) {
  std::map<std::tuple<std::string, GemmShape, Precision>, GemmMetrics> sums;
  const auto sum_of = [&](const RankGemm& kind) -> GemmMetrics& {
    return sums[{kind.function, kind.shape, kind.precision}];
  };
  for (size_t i = 0; i < ranks.size(); ++i)
    for_rows(*ranks[i], ranks[i]->gemms, steps, [&](const GemmTotal& row) {
      const RankGemm& kind = ranks[i]->gemm_kinds[row.kind];
      GemmMetrics& sum = sum_of(kind);
      if (sum.function.empty()) sum = {kind.function, kind.shape, kind.precision, 0, 0, 0.0, moved_bytes(kind.shape)};
      sum.count += row.count;
      sum.total += row.total;
      const double peak = peaks[i][static_cast<size_t>(kind.precision)];
      if (peak <= 0)
        sum.ideal_ns.reset();
      else if (sum.ideal_ns)
        *sum.ideal_ns += 1e9 * kind.shape.flops * static_cast<double>(row.count) / peak;
      const auto count = static_cast<double>(row.count);
      sum.least.add(kind.shape.flops * count, kind.precision, {sum.bytes.least * count, sum.bytes.most * count},
                    peaks[i], ranks[i]->device_name);
    });
  double shortest_ns = std::numeric_limits<double>::infinity();
  for (const auto& [key, gemm] : sums)
    if (gemm.count > 0 && gemm.total > 0)
      shortest_ns = std::min(shortest_ns, static_cast<double>(gemm.total) / static_cast<double>(gemm.count));
  for (size_t i = 0; i < ranks.size(); ++i)
    for_rows(*ranks[i], ranks[i]->gemms, steps, [&](const GemmTotal& row) {
      const RankGemm& kind = ranks[i]->gemm_kinds[row.kind];
      if (kind.precision != Precision::kFp32 || !may_be_tf32(kind.shape)) return;
      const double becomes = total_in_tf32_ns(row, kind, ranks[i]->device_name, shortest_ns);
      std::optional<double>& sum = sum_of(kind).in_tf32_ns;
      if (becomes > 0) sum = sum.value_or(0) + becomes;
    });
  std::vector<GemmMetrics> result;
  for (auto& [key, gemm] : sums)
    if (gemm.count > 0) result.push_back(std::move(gemm));
  find_neighbours(result);
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
