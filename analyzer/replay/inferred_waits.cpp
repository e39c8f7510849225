#include "replay/inferred_waits.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

bool nearly_all(size_t some, size_t all) {
  return static_cast<double>(some) >= kNearlyAllWaits * static_cast<double>(all);
}

}  // namespace

InferredWaits::InferredWaits(const ProcessTrace& trace) : trace_(trace) {
  for (const DeviceTrace& device : trace.devices) {
    devices_.emplace_back(device.streams.size());
    ordinals_.emplace_back(device.streams.size());
  }
}

void InferredWaits::add_work(uint32_t device, uint32_t span, uint32_t operation, bool is_told, uint32_t behind) {
  const DeviceSpan& work = trace_.devices[device].spans[span];
  const HostCall& launch = trace_.calls[work.call];
  std::vector<Work>& stream = devices_[device][work.stream];
  if (!stream.empty() && stream.back().operation == operation) return;
  const Nanoseconds free = stream.empty() ? launch.end : std::max(launch.end, stream.back().end);
  const uint32_t ordinal = work_counts_[{device, work.stream, work.name, 0}].in(launch.step);
  Site& site = works_[{device, work.stream, work.name, ordinal}];
  site.device = device;
  site.stream = work.stream;
  site.waits.push_back({free, work.start, operation, launched_, launch.step, is_told, behind});
  if (work.copy_kind == log::CopyKind::kDeviceToHost) copies_to_host_.insert(operation);
  stream.push_back(
      {work.end, operation, launched_++, launch.step, ordinals_[device][work.stream].in(launch.step), is_send(work)});
}

void InferredWaits::add_call(uint32_t device, uint32_t index, uint32_t operation) {
  const HostCall& call = trace_.calls[index];
  const auto phase = static_cast<uint32_t>(call.phase);
  const uint32_t ordinal = call_counts_[{call.thread, call.function, phase, 0}].in(call.step);
  Site& site = calls_[{call.thread, call.function, phase, ordinal}];
  site.device = device;
  site.is_for_stream = trace_.names[call.function].find("Event") == std::string_view::npos;
  if (!site.is_for_stream) event_calls_.insert(operation);
  site.waits.push_back({call.start, call.end, operation, launched_, call.step, true});
}

// Long enough to show what ended it.
bool InferredWaits::is_clear(const Site& site, const Wait& wait) const {
  const Nanoseconds least = site.stream == kNoIndex || wait.is_told ? kClearlyLast : kEventNoticed;
  return wait.until - wait.since > least;
}

std::span<const InferredWaits::Work> InferredWaits::launched(const Site& site, const Wait& wait,
                                                             uint32_t stream) const {
  const std::vector<Work>& works = devices_[site.device][stream];
  const auto after =
      std::partition_point(works.begin(), works.end(), [&](const Work& work) { return work.place < wait.place; });
  return {works.begin(), after};
}

const InferredWaits::Work* InferredWaits::find(const Site& site, const Wait& wait, const Source& source) const {
  const std::span<const Work> works = source.is_later ? std::span<const Work>(devices_[site.device][source.stream])
                                                      : launched(site, wait, source.stream);
  if (source.is_back) return source.index < works.size() ? &works[works.size() - 1 - source.index] : nullptr;
  const std::pair<int32_t, uint32_t> wanted(wait.step - source.steps_before, source.index);
  const auto found = std::partition_point(
      works.begin(), works.end(), [&](const Work& work) { return std::pair(work.step, work.ordinal) < wanted; });
  return found != works.end() && std::pair(found->step, found->ordinal) == wanted ? &*found : nullptr;
}

bool InferredWaits::is_refuted(const Site& site, const Source& source) const {
  size_t seen = 0, fits = 0;
  for (const Wait& wait : site.waits)
    if (const Work* const work = find(site, wait, source)) {
      ++seen;
      fits += work->end <= wait.until + kOwnPause ? 1u : 0u;
    }
  return !nearly_all(fits, seen);
}

// Of all work that may have ended a clear wait, how long after its end the wait was over.
std::map<InferredWaits::Source, std::vector<Nanoseconds>> InferredWaits::lags(const Site& site) const {
  std::map<Source, std::vector<Nanoseconds>> lags;
  for (const Wait& wait : site.waits) {
    if (!is_clear(site, wait)) continue;
    const Nanoseconds first = std::max(wait.since, wait.until - kEventNoticed);
    for (uint32_t stream = 0; stream < devices_[site.device].size(); ++stream) {
      if (stream == site.stream) continue;
      const std::span<const Work> works = launched(site, wait, stream);
      auto work = std::partition_point(works.begin(), works.end(),
                                       [&](const Work& one) { return one.end <= wait.until + kOwnPause; });
      if (site.is_for_stream && work != works.end()) continue;
      while (work != works.begin() && (--work)->end >= first) {
        const auto back = static_cast<uint32_t>(works.end() - 1 - work);
        if (site.is_for_stream && back > 0) break;
        const Nanoseconds lag = wait.until - work->end;
        lags[{false, work->gives_nothing, true, stream, 0, back}].push_back(lag);
        if (!site.is_for_stream && wait.step != kNoStep)
          lags[{false, work->gives_nothing, false, stream, wait.step - work->step, work->ordinal}].push_back(lag);
      }
      if (site.stream == kNoIndex || wait.step == kNoStep) continue;
      const std::span<const Work> later = std::span(devices_[site.device][stream]).subspan(works.size());
      const auto after =
          std::partition_point(later.begin(), later.end(), [&](const Work& one) { return one.end <= wait.until; });
      if (after != later.begin() && wait.until - (after - 1)->end <= kOwnPause)
        lags[{true, (after - 1)->gives_nothing, false, stream, wait.step - (after - 1)->step, (after - 1)->ordinal}]
            .push_back(wait.until - (after - 1)->end);
    }
  }
  return lags;
}

std::optional<InferredWaits::Explained> InferredWaits::explained(const Site& site) const {
  const auto clear = static_cast<size_t>(
      std::count_if(site.waits.begin(), site.waits.end(), [&](const Wait& wait) { return is_clear(site, wait); }));
  if (clear == 0) return only_stream(site);
  std::optional<Source> best;
  // of later work, or a send; how uneven, in us; negative; how long; how many of the waits lack it
  std::tuple<bool, bool, Nanoseconds, bool, Nanoseconds, std::ptrdiff_t> best_lag;
  for (auto& [source, of_source] : lags(site)) {
    if (!nearly_all(of_source.size(), clear) || is_refuted(site, source)) continue;
    std::vector<Nanoseconds> values = of_source;
    const Nanoseconds middle = lower_median(values);
    const auto lacking = std::count_if(site.waits.begin(), site.waits.end(), [&, &of_all = source](const Wait& wait) {
      return find(site, wait, of_all) == nullptr;
    });
    const std::tuple lag(source.is_later, source.gives_nothing, spread(of_source) / 1'000, middle < 0, std::abs(middle),
                         lacking);
    if (best && lag >= best_lag) continue;
    best = source;
    best_lag = lag;
  }
  if (!best) return std::nullopt;
  return Explained{*best, clear >= kFewestTestedWaits || is_beyond_chance(site, *best)};
}

// Whether each clear wait that the source explains is enough by itself.
bool InferredWaits::is_beyond_chance(const Site& site, const Source& source) const {
  return std::all_of(site.waits.begin(), site.waits.end(), [&](const Wait& wait) {
    const Work* const work = find(site, wait, source);
    return work == nullptr || !is_clear(site, wait) || no_chance(site, wait) == work;
  });
}

// Whether the wait ended because the work did.
bool InferredWaits::ends(const Work& work, const Wait& wait) {
  return work.end >= std::max(wait.since, wait.until - kEventNoticed) && work.end <= wait.until + kOwnPause;
}

// A call that never had to wait for its stream does not show which it is, unless all others are refuted.
std::optional<InferredWaits::Explained> InferredWaits::only_stream(const Site& site) const {
  if (!site.is_for_stream) return std::nullopt;
  std::optional<Source> only;
  for (uint32_t stream = 0; stream < devices_[site.device].size(); ++stream) {
    const Source last{false, false, true, stream, 0, 0};
    if (devices_[site.device][stream].empty() || is_refuted(site, last)) continue;
    if (only) return std::nullopt;
    only = last;
  }
  if (!only) return std::nullopt;
  return Explained{*only, site.waits.size() >= kFewestTestedWaits};
}

// All places of the same call or kernel as one, where there are several.
std::map<InferredWaits::Place, InferredWaits::Explained> InferredWaits::tested_together(
    const std::map<Place, Site>& sites) const {
  std::map<Place, Site> together;
  for (const auto& [place, site] : sites) {
    const auto [pool, is_new] = together.try_emplace(kind_of(place), site);
    if (!is_new) pool->second.waits.insert(pool->second.waits.end(), site.waits.begin(), site.waits.end());
  }
  std::map<Place, Explained> tested;
  for (const auto& [kind, pool] : together)
    if (const std::optional<Explained> source = explained(pool); source && source->is_tested) tested[kind] = *source;
  return tested;
}

std::optional<InferredWaits::Explained> InferredWaits::explained(const Place& place, const Site& site,
                                                                 const std::map<Place, Explained>& of_kinds) const {
  const std::optional<Explained> own = explained(site);
  if (own && own->is_tested) return own;
  const bool may_wait = std::any_of(site.waits.begin(), site.waits.end(),
                                    [&](const Wait& wait) { return wait.is_told || is_clear(site, wait); });
  const auto of_kind = of_kinds.find(kind_of(place));
  if (!may_wait || of_kind == of_kinds.end() || is_refuted(site, of_kind->second.source)) return own;
  return of_kind->second;
}

void InferredWaits::note_habit(const Site& site, const Source& source) {
  if (source.is_later) return;
  for (const Wait& wait : site.waits)
    if (const Work* const work = is_clear(site, wait) ? find(site, wait, source) : nullptr) {
      const std::span<const Work> works = launched(site, wait, source.stream);
      const auto back = static_cast<uint32_t>(works.data() + works.size() - 1 - work);
      ++habits_[{site.device, site.stream}][{false, source.gives_nothing, true, source.stream, 0, back}];
    }
}

std::optional<InferredWaits::Source> InferredWaits::as_usual(const Site& site) const {
  const auto habits = habits_.find({site.device, site.stream});
  if (habits == habits_.end()) return std::nullopt;
  std::optional<Source> usual;
  size_t most = 0;
  for (const auto& [source, times] : habits->second) {
    if (times <= most || is_refuted(site, source)) continue;
    usual = source;
    most = times;
  }
  return usual;
}

// To the end of a wait that both end before.
bool InferredWaits::is_nearer(const Work& work, const Work* nearest) {
  if (nearest == nullptr) return true;
  const bool is_at_once = std::abs(work.end - nearest->end) <= kOwnPause;
  return is_at_once && work.gives_nothing != nearest->gives_nothing ? nearest->gives_nothing : work.end > nearest->end;
}

// The work that a clear wait follows so closely that few moments of the wait would be as near to the end of any work;
// or, as most waits are for what was launched last on a stream, to the end of any such work.
const InferredWaits::Work* InferredWaits::no_chance(const Site& site, const Wait& wait) const {
  if (!is_clear(site, wait)) return nullptr;
  const Work* nearest = nullptr;
  size_t ended = 0, ended_last = 0;
  bool is_last = false;
  for (uint32_t stream = 0; stream < devices_[site.device].size(); ++stream) {
    if (stream == site.stream) continue;
    const std::span<const Work> works = launched(site, wait, stream);
    const auto at = [&](Nanoseconds time) {
      return std::partition_point(works.begin(), works.end(), [&](const Work& work) { return work.end <= time; });
    };
    const auto first = at(wait.since), after = at(wait.until + kOwnPause);
    if (first == after || (site.is_for_stream && after != works.end())) continue;
    ended += static_cast<size_t>(after - first);
    ended_last += after == works.end() ? 1u : 0u;
    if (!is_nearer(*(after - 1), nearest)) continue;
    nearest = &*(after - 1);
    is_last = after == works.end();
  }
  if (nearest == nullptr) return nullptr;
  const auto near = static_cast<double>(std::max(wait.until - nearest->end, kOwnPause) *
                                        static_cast<Nanoseconds>(is_last ? ended_last : ended));
  return near <= kMostChance * static_cast<double>(wait.until - wait.since) ? nearest : nullptr;
}

// The work that ended last before the wait did.
const InferredWaits::Work* InferredWaits::guess(const Site& site, const Wait& wait) const {
  const bool is_call = site.stream == kNoIndex;
  if (!is_call && !wait.is_told && !is_clear(site, wait)) return nullptr;
  const Work* last = nullptr;
  for (uint32_t stream = 0; stream < devices_[site.device].size(); ++stream) {
    if (stream == site.stream) continue;
    const std::span<const Work> works = launched(site, wait, stream);
    const auto after = std::partition_point(works.begin(), works.end(), [&](const Work& work) {
      return work.end <= wait.until + (is_call ? kEventNoticed : 0);
    });
    if (after == works.begin()) continue;
    if (is_call && after != works.end()) continue;  // its last work ended later
    if (is_nearer(*(after - 1), last)) last = &*(after - 1);
  }
  const bool is_near = last != nullptr && wait.until - last->end <= kEventNoticed;
  return is_call || wait.is_told || is_near ? last : nullptr;
}

void InferredWaits::take_site(const Site& site, const std::optional<Explained>& explained,
                              std::vector<Found>& found) const {
  const bool is_call = site.stream == kNoIndex;
  for (const Wait& wait : site.waits) {
    const Work* const usual = explained ? find(site, wait, explained->source) : nullptr;
    if (explained && explained->is_tested && usual == nullptr) continue;  // it is of a step that was not recorded
    const bool fits = usual != nullptr && usual->end <= wait.until + kOwnPause;
    const bool is_known = fits && explained->is_tested;
    if (is_known) found.push_back({wait.operation, usual->operation, is_call, false});
    if (is_known && (ends(*usual, wait) || !is_clear(site, wait))) continue;
    // The usual source had ended before. This time something else is awaited, too.
    if (const Work* const near = no_chance(site, wait))
      found.push_back({wait.operation, near->operation, is_call, false});
    else if (is_known || limited_.contains(&site))
      continue;
    else if (const Work* const work = fits ? usual : guess(site, wait))
      found.push_back({wait.operation, work->operation, is_call, true});
  }
}

// A single place shows no limit: a host that reads a time goes on to launch something, too.
void InferredWaits::find_limited(const std::vector<Found>& calls) {
  for (const Found& call : calls)
    if (copies_to_host_.contains(call.awaited)) event_calls_.erase(call.operation);
  std::map<Place, std::vector<const Site*>> kinds;
  for (const auto& [place, site] : works_) {
    const auto behind = std::count_if(site.waits.begin(), site.waits.end(),
                                      [&](const Wait& wait) { return event_calls_.contains(wait.behind); });
    if (nearly_all(static_cast<size_t>(behind), site.waits.size())) kinds[kind_of(place)].push_back(&site);
  }
  for (const auto& [kind, sites] : kinds)
    if (sites.size() > 1) limited_.insert(sites.begin(), sites.end());
}

std::vector<InferredWaits::Found> InferredWaits::take() {
  std::vector<Found> found;
  const std::map<Place, Explained> calls = tested_together(calls_), works = tested_together(works_);
  for (const auto& [place, site] : calls_) take_site(site, explained(place, site, calls), found);
  find_limited(found);
  std::vector<const Site*> never_waited;
  for (const auto& [place, site] : works_) {
    const std::optional<Explained> source = explained(place, site, works);
    if (source) note_habit(site, source->source);
    const bool is_told =
        std::any_of(site.waits.begin(), site.waits.end(), [](const Wait& wait) { return wait.is_told; });
    const bool has_waited = std::any_of(site.waits.begin(), site.waits.end(),
                                        [&, &site = site](const Wait& wait) { return is_clear(site, wait); });
    if (!has_waited && is_told)
      never_waited.push_back(&site);
    else
      take_site(site, source, found);
  }
  for (const Site* const site : never_waited) {
    const std::optional<Source> usual = as_usual(*site);
    take_site(*site, usual ? std::optional(Explained{*usual, false}) : std::nullopt, found);
  }
  return found;
}

}  // namespace tauprof
