#include "metrics/source_lines/source_line_table.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tauprof {

std::vector<SourceLineMetrics> source_line_table(const std::vector<const RankTimeline*>& ranks,
                                                 const StepSelection& steps) {
  std::map<std::pair<std::string, std::string>, SourceLineMetrics> sums;
  for (const RankTimeline* rank : ranks)
    for (size_t table = 0; table < rank->source_lines.size(); ++table) {
      if (table < kLeadingSteps && !steps.has(rank->steps[table].number)) continue;
      for (const SourceLineTotal& line : rank->source_lines[table]) {
        const std::string& where = rank->source_line_names[line.source_line];
        SourceLineMetrics& sum = sums[{where, line.call}];
        sum.where = where;
        sum.call = line.call;
        sum.count += line.count;
        sum.total += line.total;
        for (size_t row = 0; row < kLedgerRowCount; ++row) sum.charged[row] += line.charged[row];
        if (sum.ranks.empty() || sum.ranks.back() != rank->rank) sum.ranks.push_back(rank->rank);
      }
    }
  std::vector<SourceLineMetrics> result;
  for (auto& [key, line] : sums) result.push_back(std::move(line));
  std::stable_sort(result.begin(), result.end(),
                   [](const SourceLineMetrics& a, const SourceLineMetrics& b) { return a.total > b.total; });
  return result;
}

std::string costliest_line(const RankTimeline& rank, const StepSelection& steps, LedgerRow row) {
  std::map<uint32_t, Nanoseconds> charged;
  for (size_t table = 0; table < rank.source_lines.size(); ++table) {
    if (table < kLeadingSteps && !steps.has(rank.steps[table].number)) continue;
    for (const SourceLineTotal& line : rank.source_lines[table])
      charged[line.source_line] += line.charged[static_cast<size_t>(row)];
  }
  const auto most = std::max_element(charged.begin(), charged.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == charged.end() || most->second == 0 ? std::string() : rank.source_line_names[most->first];
}

}  // namespace tauprof
