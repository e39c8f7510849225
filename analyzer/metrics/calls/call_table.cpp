#include "metrics/calls/call_table.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tauprof {

// Steps that the user left out never entered the ranks' tables. Each step that may be warm-up has a table of its own.
std::vector<CallMetrics> call_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  std::map<std::string, CallMetrics> sums;
  for (const RankTimeline* const rank : ranks)
    for (size_t table = 0; table < rank->call_totals.size(); ++table) {
      if (table < kLeadingSteps && !steps.has(rank->steps[table].number)) continue;
      for (const CallTotal& calls : rank->call_totals[table]) {
        const std::string& function = rank->function_names[calls.function];
        const auto [found, is_new] =
            sums.try_emplace(function, CallMetrics{function, calls.call_class, 0, 0, calls.shortest, calls.longest});
        CallMetrics& sum = found->second;
        sum.count += calls.count;
        sum.total += calls.total;
        sum.shortest = std::min(sum.shortest, calls.shortest);
        sum.longest = std::max(sum.longest, calls.longest);
      }
    }
  std::vector<CallMetrics> result;
  for (auto& [function, calls] : sums) result.push_back(std::move(calls));
  std::stable_sort(result.begin(), result.end(),
                   [](const CallMetrics& a, const CallMetrics& b) { return a.total > b.total; });
  return result;
}

}  // namespace tauprof
