#include "metrics/place_table.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tauprof {

std::vector<PlaceMetrics> place_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  std::map<std::pair<std::string, std::string>, PlaceMetrics> sums;
  for (const RankTimeline* rank : ranks)
    for (size_t table = 0; table < rank->places.size(); ++table) {
      if (table < kLeadingSteps && !steps.has(rank->steps[table].number)) continue;
      for (const PlaceTotal& place : rank->places[table]) {
        const std::string& where = rank->place_names[place.place];
        PlaceMetrics& sum = sums[{where, place.call}];
        sum.where = where;
        sum.call = place.call;
        sum.count += place.count;
        sum.total += place.total;
        for (size_t row = 0; row < kLedgerRowCount; ++row) sum.charged[row] += place.charged[row];
        if (sum.ranks.empty() || sum.ranks.back() != rank->rank) sum.ranks.push_back(rank->rank);
      }
    }
  std::vector<PlaceMetrics> result;
  for (auto& [key, place] : sums) result.push_back(std::move(place));
  std::stable_sort(result.begin(), result.end(),
                   [](const PlaceMetrics& a, const PlaceMetrics& b) { return a.total > b.total; });
  return result;
}

}  // namespace tauprof
