#include "metrics/places/place_totals.h"

#include <algorithm>

#include "steps/launching_threads.h"

namespace tauprof {

PlaceTotals::PlaceTotals(const ProcessTrace& trace, const std::vector<StepWindow>& windows,
                         const std::optional<StepRange>& choice, RankTimeline& timeline)
    : trace_(trace), windows_(windows), choice_(choice), timeline_(timeline), places_(trace) {
  if (trace.ranges.empty()) return;
  main_thread_ = main_thread(trace);
  timeline_.places.resize(std::min(windows.size(), kLeadingSteps + 1));
  rows_.resize(timeline_.places.size());
}

bool PlaceTotals::is_left_out(int32_t window) const {
  return rows_.empty() || window == kNoStep ||
         (choice_ && !choice_->has(trace_.steps[windows_[window].host_step].number));
}

void PlaceTotals::charge(int32_t window, Interval time, LedgerRow row, uint32_t launch) {
  if (is_left_out(window)) return;
  const auto number = static_cast<size_t>(row);
  const uint16_t thread = launch == kNoIndex ? main_thread_ : trace_.calls[launch].thread;
  if (is_of_device(row) && launch != kNoIndex) {
    const Nanoseconds called = trace_.calls[launch].start;
    places_.visit(thread, {called, called + 1}, [&](const HostPlaces::Place& place, Nanoseconds) {
      total_of(window, place).charged[number] += time.length();
    });
    return;
  }
  places_.visit(thread, time, [&](const HostPlaces::Place& place, Nanoseconds length) {
    total_of(window, place).charged[number] += length;
  });
}

void PlaceTotals::spend(uint16_t thread, Interval time, LedgerRow row) {
  const auto after = std::upper_bound(
      windows_.begin(), windows_.end(), time.start,
      [&](Nanoseconds at, const StepWindow& window) { return at < trace_.steps[window.host_step].start; });
  const auto window = static_cast<int32_t>(after - windows_.begin()) - 1;
  if (window < 0 || is_left_out(window)) return;
  places_.visit(thread, time, [&](const HostPlaces::Place& place, Nanoseconds length) {
    total_of(window, place).spent[static_cast<size_t>(row)] += length;
  });
}

PlaceTotal& PlaceTotals::total_of(int32_t window, const HostPlaces::Place& place) {
  const size_t table = std::min<size_t>(static_cast<size_t>(window), kLeadingSteps);
  std::vector<PlaceTotal>& totals = timeline_.places[table];
  const auto [found, is_new] = rows_[table].try_emplace(place, totals.size());
  if (is_new) {
    PlaceTotal made;
    made.node = place.node;
    made.before = name(place.before);
    made.after = name(place.after);
    totals.push_back(made);
  }
  return totals[found->second];
}

uint32_t PlaceTotals::name(NameId id) {
  if (id == kNoName) return kNoIndex;
  const auto [known, is_new] = names_.try_emplace(id, static_cast<uint32_t>(timeline_.place_names.size()));
  if (is_new) timeline_.place_names.push_back(shown_range(trace_.names[id]));
  return known->second;
}

void PlaceTotals::finish() {
  if (rows_.empty()) return;
  for (const HostPlaces::Node& node : places_.nodes()) timeline_.place_nodes.push_back({node.parent, name(node.name)});
}

}  // namespace tauprof
