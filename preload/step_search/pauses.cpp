#include "step_search/pauses.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "step_search/thresholds.h"

namespace tauprof {
namespace {

struct CuePause {
  Cue cue;
  int64_t length = 0;
};

bool is_before(const CuePause& a, const CuePause& b) {
  return a.cue.symbol != b.cue.symbol ? a.cue.symbol < b.cue.symbol : a.cue.before < b.cue.before;
}

void add_pauses(const LaunchSequence& sequence, const Section& section, std::vector<CuePause>& pauses) {
  const size_t first = pauses.size();
  for (size_t at = std::max<size_t>(section.begin, 1); at < section.end; ++at)
    if (sequence.launches[at].kind != LaunchKind::kSync)
      pauses.push_back(
          {{sequence.launches[at].symbol, static_cast<uint32_t>(at)}, pause_before(sequence.launches, at)});
  std::sort(pauses.begin() + first, pauses.end(), is_before);
  // From where it stands to how many equal ones stand before it.
  for (size_t i = first; i < pauses.size(); ++i) {
    const bool is_next = i > first && pauses[i].cue.symbol == pauses[i - 1].cue.symbol;
    pauses[i].cue.before = is_next ? pauses[i - 1].cue.before + 1 : 0;
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
  const auto counted = static_cast<size_t>(std::ceil(kCueShare * static_cast<double>(pauses.size())));
  return std::accumulate(pauses.begin(), pauses.begin() + counted, 0.0);
}

size_t place_of(const LaunchSequence& sequence, const Section& section, const Cue& cue) {
  uint32_t before = 0;
  for (size_t at = section.begin; at < section.end; ++at)
    if (sequence.launches[at].symbol == cue.symbol && before++ == cue.before) return at;
  return section.end;
}

Cue cue_after_pause(const LaunchSequence& sequence, const std::vector<Section>& sections, double share) {
  std::vector<CuePause> pauses;
  for (size_t i = 1; i + 1 < sections.size(); ++i) add_pauses(sequence, sections[i], pauses);
  std::sort(pauses.begin(), pauses.end(), is_before);
  const double enough = share * static_cast<double>(sections.size() - 2);
  Cue best;
  double longest = -1;
  std::vector<int64_t> lengths;
  for (size_t begin = 0, end = 0; begin < pauses.size(); begin = end) {
    const Cue& cue = pauses[begin].cue;
    lengths.clear();
    for (end = begin; end < pauses.size() && !is_before(pauses[begin], pauses[end]); ++end)
      lengths.push_back(pauses[end].length);
    if (static_cast<double>(lengths.size()) < enough) continue;
    const double total = usual_total(lengths);
    if (total <= longest) continue;
    best = cue;
    longest = total;
  }
  return best;
}

}  // namespace tauprof
