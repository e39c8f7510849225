#include "steps/step_openings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

bool is_input(const Launch& launch) { return launch.kind == LaunchKind::kInputCopy; }

// A launch in a section: its symbol, and how many equal launches precede it there.
using Place = std::pair<uint32_t, uint32_t>;

// How long the host was away before this launch, in ns. Waiting for the device counts as being away.
int64_t pause_before(const std::vector<Launch>& launches, size_t at) {
  if (at == 0) return 0;
  const Launch& before = launches[at - 1];
  const int64_t since = before.kind == LaunchKind::kSync ? before.start : before.end;
  return std::max<int64_t>(0, launches[at].start - since);
}

// The sum without the longest fifth: a host that others share is sometimes away for longer than a program ever waits.
double usual_total(std::vector<int64_t>& pauses) {
  std::sort(pauses.begin(), pauses.end());
  const auto counted = static_cast<size_t>(std::ceil(kUsualShare * static_cast<double>(pauses.size())));
  return std::accumulate(pauses.begin(), pauses.begin() + counted, 0.0);
}

// The end of what reads back or waits close behind an update, and before any input.
size_t past_readback(const std::vector<Launch>& launches, size_t start, size_t end) {
  for (size_t at = start; at < std::min(end, start + kReadbackDistance); ++at) {
    if (is_input(launches[at]) || is_backward_work(launches[at])) break;
    if (reads_or_waits(launches[at])) start = at + 1;
  }
  return start;
}

bool is_of_pass(const Launch& launch) { return launch.kind == LaunchKind::kKernel && launch.role == UpdateRole::kNone; }

// Calls `visit` with each launch that may start a step, and its place: up to the first input copy, or where there is
// none up to the first kernel of a pass.
template <class Visit>
void visit_candidates(const std::vector<Launch>& launches, const Section& section, Visit&& visit) {
  const auto first = launches.begin() + section.start, end = launches.begin() + section.end;
  auto last = std::find_if(first, end, is_input);
  if (last == end) last = std::find_if(first, end, is_of_pass);
  std::map<uint32_t, uint32_t> seen;
  for (auto launch = first; launch != end && launch <= last; ++launch)
    if (launch->kind != LaunchKind::kSync)
      visit(static_cast<size_t>(launch - launches.begin()), Place(launch->symbol, seen[launch->symbol]++));
}

}  // namespace

std::vector<Section> sections_between(const LaunchSequence& sequence, const std::vector<Update>& updates) {
  std::vector<Section> sections;
  for (size_t i = 0; i <= updates.size(); ++i) {
    size_t start = i == 0 ? 0 : updates[i - 1].end;
    const size_t end = i == updates.size() ? sequence.launches.size() : updates[i].first;
    if (i > 0) start = past_readback(sequence.launches, start, end);
    const auto first = sequence.launches.begin();
    const auto backward = std::find_if(first + start, first + end, is_backward_work);
    sections.push_back({start, static_cast<size_t>(backward - first)});
  }
  return sections;
}

std::vector<size_t> openings_of(const LaunchSequence& sequence, const std::vector<Section>& sections) {
  const std::vector<Launch>& launches = sequence.launches;
  struct Pauses {
    std::vector<int64_t> lengths;
    bool is_input = false;
  };
  std::map<Place, Pauses> pauses;  // the first and the last section do not count
  for (size_t i = 1; i + 1 < sections.size(); ++i)
    visit_candidates(launches, sections[i], [&](size_t at, const Place& place) {
      pauses[place].lengths.push_back(pause_before(launches, at));
      pauses[place].is_input = is_input(launches[at]);
    });
  Place best(UINT32_MAX, 0);
  double longest = -1;
  for (auto& [place, of_place] : pauses) {
    if (static_cast<double>(of_place.lengths.size()) < kCommonShare * static_cast<double>(sections.size() - 2))
      continue;
    const double total = usual_total(of_place.lengths) * (of_place.is_input ? kClearPause : 1);
    if (total > longest) best = place, longest = total;
  }
  std::vector<size_t> openings;
  for (const Section& section : sections) {
    const auto first = launches.begin();
    const auto input = std::find_if(first + section.start, first + section.end, is_input);
    openings.push_back(static_cast<size_t>(input - first));
    visit_candidates(launches, section, [&](size_t at, const Place& place) {
      if (place == best) openings.back() = at;
    });
  }
  return openings;
}

}  // namespace tauprof
