#include "metrics/kernels/kernel_table.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/efficiency/device_peaks.h"
#include "metrics/kernels/kernel_totals.h"

namespace tauprof {
namespace {

// The ranks' tables, joined to stretches of about equal length: leading steps have a table each, later ones share them.
// A stretch is full when it has half as many steps as the longest table.
class Stretches {
 public:
  Stretches(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
    std::vector<size_t> steps_of;  // by table, of all ranks
    for (const RankTimeline* rank : ranks) {
      if (rank->steps.empty()) continue;
      steps_of.resize(std::max(steps_of.size(), kernel_table_of(rank->steps.size() - 1, rank->steps.size()) + 1));
      for (size_t step = 0; step < rank->steps.size(); ++step)
        if (rank->steps[step].device && steps.has(rank->steps[step].number))
          ++steps_of[kernel_table_of(step, rank->steps.size())];
    }
    const size_t longest = steps_of.empty() ? 0 : *std::max_element(steps_of.begin(), steps_of.end());
    bool is_full = true;
    for (const size_t count : steps_of) {
      if (is_full && count > 0) steps_.push_back(0);
      stretch_.push_back(steps_.empty() ? 0 : steps_.size() - 1);
      if (count == 0) continue;
      steps_.back() += count;
      is_full = is_as_much(steps_.back(), longest);
    }
    if (!is_full && steps_.size() > 1) join_last();
  }

  size_t count() const { return steps_.size(); }
  size_t of_table(size_t table) const { return stretch_[table]; }
  double steps(size_t stretch) const { return static_cast<double>(steps_[stretch]); }
  double steps() const { return static_cast<double>(std::accumulate(steps_.begin(), steps_.end(), size_t{0})); }

 private:
  void join_last() {
    const size_t last = steps_.size() - 1;
    steps_[last - 1] += steps_[last];
    steps_.pop_back();
    for (size_t& stretch : stretch_) stretch = std::min(stretch, last - 1);
  }

  std::vector<size_t> stretch_;  // by table
  std::vector<size_t> steps_;    // by stretch, of all ranks
};

// How long it takes at least follows only if all of it is known.
void add_work(const KernelTotal& kernel, const PerPrecision<double>& peaks, const std::string& device_name,
              KernelMetrics& sum) {
  sum.work.add(kernel.work);
  if (kernel.work.on_device == kernel.count)
    sum.least.add(kernel.work.flops, kernel.work.precision, kernel.work.bytes, peaks, device_name);
  else
    sum.least.is_known = false;
}

}  // namespace

// Steps that the user left out never entered the ranks' tables. Each step that may be warm-up has a table of its own.
std::vector<KernelMetrics> kernel_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                                        const std::optional<double>& peak_flops) {
  const Stretches stretches(ranks, steps);
  std::unordered_map<std::string, KernelMetrics> sums;
  for (const RankTimeline* rank : ranks) {
    const PerPrecision<double> peaks = peaks_of(rank->device_name, peak_flops);
    for (size_t table = 0; table < rank->kernels.size(); ++table) {
      if (table < kLeadingSteps && !steps.has(rank->steps[table].number)) continue;
      for (const KernelTotal& kernel : rank->kernels[table]) {
        const std::string& name = rank->kernel_names[kernel.name];
        KernelMetrics& sum = sums[name + static_cast<char>('0' + static_cast<int>(kernel.span_class))];
        if (sum.count == 0) sum.per_step.in_stretches_ns.resize(stretches.count());
        sum.name = name;
        sum.span_class = kernel.span_class;
        sum.count += kernel.count;
        sum.total += kernel.total;
        add_work(kernel, peaks, rank->device_name, sum);
        if (stretches.count() == 0) continue;
        const size_t stretch = stretches.of_table(table);
        const auto time = static_cast<double>(kernel.total);
        sum.per_step.mean_ns += time / stretches.steps();
        sum.per_step.in_stretches_ns[stretch] += time / stretches.steps(stretch);
      }
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
