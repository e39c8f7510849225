#include "metrics/place_totals.h"

#include <algorithm>
#include <cstdlib>

#include "classify/code_places.h"

namespace tauprof {
namespace {

constexpr Nanoseconds kDefaultSlow = 100'000;

// As the recorder was told (TAUPROF_STACK_MIN_US).
Nanoseconds slow_ns(const ProcessTrace& trace) {
  const auto found = trace.attributes.find("stack_min_ns");
  return found == trace.attributes.end() ? kDefaultSlow : std::atoll(found->second.c_str());
}

}  // namespace

PlaceTotals::PlaceTotals(const ProcessTrace& trace, const std::vector<StepWindow>& windows,
                         const std::optional<StepRange>& choice, RankTimeline& timeline)
    : trace_(trace), windows_(windows), choice_(choice), timeline_(timeline) {
  if (trace_.stacks.is_empty()) return;
  slow_ns_ = slow_ns(trace);
  places_ = code_places(trace);
  timeline_.places.resize(std::min(windows.size(), kLeadingSteps + 1));
  rows_.resize(timeline_.places.size());
  std::vector<uint32_t> window_of_step(trace.steps.size(), kNoIndex);
  for (uint32_t window = 0; window < windows.size(); ++window) window_of_step[windows[window].host_step] = window;
  lay_out(window_of_step);
}

bool PlaceTotals::launches(uint16_t thread) const {
  const auto begin = trace_.calls.begin() + trace_.first_call[thread],
             end = trace_.calls.begin() + trace_.first_call[thread + 1];
  return std::any_of(begin, end, [](const HostCall& call) { return launches_work(call.call_class); });
}

void PlaceTotals::lay_out(const std::vector<uint32_t>& window_of_step) {
  times_.resize(trace_.threads.size());
  next_.resize(trace_.threads.size());
  for (const PlacedCall& placed : trace_.stacks.calls) {
    const auto begin = trace_.calls.begin() + trace_.first_call[placed.thread],
               end = trace_.calls.begin() + trace_.first_call[placed.thread + 1];
    const auto call = std::lower_bound(begin, end, placed.start,
                                       [](const HostCall& a, Nanoseconds start) { return a.start < start; });
    if (call == end || call->start != placed.start || call->outer != kNoIndex || placed.stack == kNoStack) continue;
    times_[placed.thread].push_back(
        {{call->start, call->end}, placed.stack, static_cast<uint32_t>(call - trace_.calls.begin())});
  }
  for (const PlacedPause& pause : trace_.stacks.pauses)
    if (pause.stack != kNoStack) times_[pause.thread].push_back({pause.time, pause.stack, kNoIndex});
  for (uint16_t thread = 0; thread < times_.size(); ++thread)
    if (!times_[thread].empty()) lay_out_thread(thread, window_of_step);
}

// Calls are exact; what a look says of the time before it gives way to them.
void PlaceTotals::lay_out_thread(uint16_t thread, const std::vector<uint32_t>& window_of_step) {
  std::vector<PlacedTime>& times = times_[thread];
  const bool has_pauses = launches(thread);
  std::erase_if(times, [&](const PlacedTime& placed) { return placed.call == kNoIndex && !has_pauses; });
  std::stable_sort(times.begin(), times.end(),
                   [](const PlacedTime& a, const PlacedTime& b) { return a.time.start < b.time.start; });
  const auto begin = trace_.calls.begin() + trace_.first_call[thread],
             end = trace_.calls.begin() + trace_.first_call[thread + 1];
  for (size_t i = 0; i < times.size(); ++i) {
    PlacedTime& placed = times[i];
    if (placed.call != kNoIndex) continue;
    const auto next = std::upper_bound(begin, end, placed.time.end - 1,
                                       [](Nanoseconds time, const HostCall& call) { return time < call.start; });
    for (auto call = next; call != begin;)
      if (--call; call->outer == kNoIndex) {
        placed.time.start = std::max(placed.time.start, call->end);
        break;
      }
    const bool is_last =
        i + 1 == times.size() || times[i + 1].call != kNoIndex || (next != end && times[i + 1].time.end > next->start);
    if (is_last && next != end) placed.time.end = next->start;
  }
  std::erase_if(times, [](const PlacedTime& placed) { return placed.time.end <= placed.time.start; });
  for (const PlacedTime& placed : times) count(placed, window_of_step);
}

void PlaceTotals::count(const PlacedTime& placed, const std::vector<uint32_t>& window_of_step) {
  int32_t step;
  if (placed.call != kNoIndex) {
    if (placed.time.length() < slow_ns_) return;
    step = trace_.calls[placed.call].step;
  } else {
    const auto found = std::upper_bound(trace_.steps.begin(), trace_.steps.end(), placed.time.end - 1,
                                        [](Nanoseconds time, const HostStep& a) { return time < a.start; });
    step = static_cast<int32_t>(found - trace_.steps.begin()) - 1;
  }
  if (step < 0 || window_of_step[step] == kNoIndex) return;
  PlaceTotal* const sum = total(static_cast<int32_t>(window_of_step[step]), placed.stack, placed.call);
  if (sum == nullptr) return;
  ++sum->count;
  sum->total += placed.time.length();
}

PlaceTotal* PlaceTotals::total(int32_t window, uint32_t stack, uint32_t call) {
  if (window < 0 || (choice_ && !choice_->has(trace_.steps[windows_[window].host_step].number))) return nullptr;
  const size_t table = std::min<size_t>(window, kLeadingSteps);
  const NameId function = call == kNoIndex ? kNoName : trace_.calls[call].function;
  const auto [row, is_new] = rows_[table].try_emplace({place_name(stack), function}, timeline_.places[table].size());
  if (is_new) {
    PlaceTotal made;
    made.place = row->first.first;
    if (function != kNoName) made.call = trace_.names[function];
    timeline_.places[table].push_back(std::move(made));
  }
  return &timeline_.places[table][row->second];
}

uint32_t PlaceTotals::place_name(uint32_t stack) {
  const auto [name, is_new] = names_.try_emplace(places_[stack], static_cast<uint32_t>(timeline_.place_names.size()));
  if (is_new) timeline_.place_names.push_back(places_[stack]);
  return name->second;
}

// Gaps come in order of the device's time, and a thread's pieces nearly so.
void PlaceTotals::charge(int32_t window, uint16_t thread, Interval time, LedgerRow row) {
  if (times_.empty() || times_[thread].empty() || window == kNoStep) return;
  const std::vector<PlacedTime>& times = times_[thread];
  size_t& next = next_[thread];
  while (next > 0 && times[next - 1].time.end > time.start) --next;
  while (next < times.size() && times[next].time.end <= time.start) ++next;
  for (size_t i = next; i < times.size() && times[i].time.start < time.end; ++i) {
    const Nanoseconds length = std::min(times[i].time.end, time.end) - std::max(times[i].time.start, time.start);
    if (PlaceTotal* sum = length > 0 ? total(window, times[i].stack, times[i].call) : nullptr)
      sum->charged[static_cast<size_t>(row)] += length;
  }
}

const PlaceTotals::PlacedTime* PlaceTotals::placed_call(uint32_t call) const {
  if (times_.empty() || call == kNoIndex) return nullptr;
  const HostCall& launch = trace_.calls[call];
  const std::vector<PlacedTime>& times = times_[launch.thread];
  const auto placed = std::lower_bound(times.begin(), times.end(), launch.start,
                                       [](const PlacedTime& a, Nanoseconds at) { return a.time.start < at; });
  return placed == times.end() || placed->call != call ? nullptr : &*placed;
}

void PlaceTotals::charge_call(int32_t window, uint32_t call, Nanoseconds length, LedgerRow row) {
  const PlacedTime* const placed = window == kNoStep ? nullptr : placed_call(call);
  if (placed == nullptr) return;
  if (PlaceTotal* sum = total(window, placed->stack, call)) sum->charged[static_cast<size_t>(row)] += length;
}

uint32_t PlaceTotals::place_of_call(uint32_t call) {
  const PlacedTime* const placed = placed_call(call);
  return placed == nullptr ? kNoIndex : place_name(placed->stack);
}

}  // namespace tauprof
