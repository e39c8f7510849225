#include "step_search/pauses.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "step_search/step_search_limits.h"

namespace tauprof {
namespace {

struct LaunchPause {
  OpeningLaunch opening;
  int64_t length = 0;
};

bool is_before(const LaunchPause& a, const LaunchPause& b) {
  return a.opening.symbol != b.opening.symbol ? a.opening.symbol < b.opening.symbol
                                              : a.opening.equal_before < b.opening.equal_before;
}

void add_pauses(const LaunchSequence& sequence, const Section& section, std::vector<LaunchPause>& pauses) {
  const size_t first = pauses.size();
  for (size_t at = std::max<size_t>(section.start, 1); at < section.end; ++at)
    if (sequence.launches[at].kind != LaunchKind::kSync)
      pauses.push_back(
          {{sequence.launches[at].symbol, static_cast<uint32_t>(at)}, pause_before(sequence.launches, at)});
  std::sort(pauses.begin() + first, pauses.end(), is_before);
  // Replace positions by how many equal launches precede each in its section.
  for (size_t i = first; i < pauses.size(); ++i) {
    const bool is_next = i > first && pauses[i].opening.symbol == pauses[i - 1].opening.symbol;
    pauses[i].opening.equal_before = is_next ? pauses[i - 1].opening.equal_before + 1 : 0;
  }
}

}  // namespace

int64_t pause_before(const std::vector<Launch>& launches, size_t at) {
  if (at == 0) return 0;
  const Launch& before = launches[at - 1];
  const int64_t since = before.kind == LaunchKind::kSync ? before.start : before.end;
  return std::max<int64_t>(0, launches[at].start - since);
}

double usual_total(std::vector<int64_t>& pauses) {
  std::sort(pauses.begin(), pauses.end());
  const auto counted = static_cast<size_t>(std::ceil(kUsualShare * static_cast<double>(pauses.size())));
  return std::accumulate(pauses.begin(), pauses.begin() + counted, 0.0);
}

size_t position_of(const LaunchSequence& sequence, const Section& section, const OpeningLaunch& opening) {
  uint32_t before = 0;
  for (size_t at = section.start; at < section.end; ++at)
    if (sequence.launches[at].symbol == opening.symbol && before++ == opening.equal_before) return at;
  return section.end;
}

OpeningLaunch opening_after_pause(const LaunchSequence& sequence, const std::vector<Section>& sections, double share) {
  std::vector<LaunchPause> pauses;
  for (size_t i = 1; i + 1 < sections.size(); ++i) add_pauses(sequence, sections[i], pauses);
  std::sort(pauses.begin(), pauses.end(), is_before);
  const double enough = share * static_cast<double>(sections.size() - 2);
  OpeningLaunch best;
  double longest = -1;
  std::vector<int64_t> lengths;
  for (size_t start = 0, end = 0; start < pauses.size(); start = end) {
    const OpeningLaunch& opening = pauses[start].opening;
    lengths.clear();
    for (end = start; end < pauses.size() && !is_before(pauses[start], pauses[end]); ++end)
      lengths.push_back(pauses[end].length);
    if (static_cast<double>(lengths.size()) < enough) continue;
    const double total = usual_total(lengths);
    if (total <= longest) continue;
    best = opening;
    longest = total;
  }
  return best;
}

}  // namespace tauprof
