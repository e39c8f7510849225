#include "metrics/kernels/kernel_table.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tauprof {

// Steps that the user left out never entered the ranks' tables. Each step that may be warm-up has a table of its own.
std::vector<KernelMetrics> kernel_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  std::unordered_map<std::string, KernelMetrics> sums;
  for (const RankTimeline* rank : ranks)
    for (size_t table = 0; table < rank->kernels.size(); ++table) {
      if (table < kLeadingSteps && !steps.has(rank->steps[table].number)) continue;
      for (const KernelTotal& kernel : rank->kernels[table]) {
        const std::string& name = rank->kernel_names[kernel.name];
        KernelMetrics& sum = sums[name + static_cast<char>('0' + static_cast<int>(kernel.span_class))];
        sum.name = name;
        sum.span_class = kernel.span_class;
        sum.count += kernel.count;
        sum.total += kernel.total;
      }
    }
  std::vector<KernelMetrics> result;
  for (auto& [key, kernel] : sums) result.push_back(std::move(kernel));
  std::sort(result.begin(), result.end(), [](const KernelMetrics& a, const KernelMetrics& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
  return result;
}

}  // namespace tauprof
