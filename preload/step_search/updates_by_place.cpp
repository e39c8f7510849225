#include "step_search/updates_by_place.h"

#include <algorithm>

#include "step_search/symbol_set.h"
#include "step_search/thresholds.h"
#include "step_search/turns.h"

namespace tauprof {
namespace {

bool is_main_kernel(const Launch& launch) { return launch.kind == LaunchKind::kKernel && !launch.is_backward; }

// Backward passes: launches of the backward threads with no kernel or input copy of another thread between them.
std::vector<StepAnchor> backward_passes(const LaunchSequence& sequence) {
  std::vector<StepAnchor> passes;
  bool is_open = false;
  for (size_t i = 0; i < sequence.launches.size(); ++i) {
    const Launch& launch = sequence.launches[i];
    if (is_backward_work(launch)) {
      if (!is_open) passes.push_back({i, i + 1});
      passes.back().end = i + 1;
      is_open = true;
    } else if (!launch.is_backward && (launch.kind == LaunchKind::kKernel || launch.kind == LaunchKind::kInputCopy)) {
      is_open = false;
    }
  }
  return passes;
}

// What follows a backward pass, up to the next one.
struct Tail {
  bool has_input = false;
  StepAnchor update;    // kernels of the main thread before the first input copy
  size_t launches = 0;  // of them
  SymbolSet kernels;    // of the whole tail, different ones
};

std::vector<Tail> tails_of(const LaunchSequence& sequence, const std::vector<StepAnchor>& passes) {
  std::vector<Tail> tails(passes.size());
  for (size_t i = 0; i < passes.size(); ++i) {
    Tail& tail = tails[i];
    const size_t end = i + 1 < passes.size() ? passes[i + 1].first : sequence.launches.size();
    size_t clipped = passes[i].end;
    for (size_t at = passes[i].end; at < end; ++at)
      if (sequence.launches[at].role == UpdateRole::kClipping) clipped = at;
    for (size_t at = passes[i].end; at < end; ++at) {
      const Launch& launch = sequence.launches[at];
      tail.has_input |= launch.kind == LaunchKind::kInputCopy && at > clipped;  // clipping copies numbers of its own
      if (!is_main_kernel(launch)) continue;
      tail.kernels.add(launch.symbol);
      if (tail.has_input) continue;
      if (tail.launches++ == 0) tail.update.first = at;
      tail.update.end = at + 1;
    }
    tail.kernels.finish();
  }
  return tails;
}

// Passes between two places, if nearly always as many; else 0.
size_t even_distance(const std::vector<size_t>& places) {
  const size_t distance = places[1] - places[0];
  size_t even = 0;
  for (size_t i = 1; i < places.size(); ++i) even += places[i] - places[i - 1] == distance;
  return static_cast<double>(even) >= kTurnShare * static_cast<double>(places.size() - 1) ? distance : 0;
}

// Updates behind some of the passes, seen against the input copies that follow the others at once.
PlaceSearch updates_before_input(const std::vector<Tail>& tails) {
  std::vector<size_t> counts;
  for (const Tail& tail : tails)
    if (tail.has_input && tail.launches >= kUpdateLaunches) counts.push_back(tail.launches);
  if (counts.empty()) return {};
  std::nth_element(counts.begin(), counts.begin() + counts.size() / 2, counts.end());
  const double enough = kPassVocabulary * static_cast<double>(counts[counts.size() / 2]);
  std::vector<size_t> places;
  PlaceSearch search;
  for (size_t i = 0; i < tails.size(); ++i) {
    if (tails[i].launches < kUpdateLaunches || static_cast<double>(tails[i].launches) < enough) continue;
    places.push_back(i);
    search.anchors.push_back(tails[i].update);
  }
  const bool is_after_all = static_cast<double>(places.size()) >= kCueShare * static_cast<double>(tails.size());
  if (places.size() < 2 || is_after_all) return {};
  search.ends_with_update = true;
  search.passes = even_distance(places);
  return search;
}

// Updates in front of the input copies, where most passes share their input with others: kernels that are not launched
// behind those others.
PlaceSearch updates_of_shared_input(const LaunchSequence& sequence, const std::vector<StepAnchor>& passes,
                                    const std::vector<Tail>& tails) {
  SymbolSet common;
  for (size_t i = 0; i + 1 < tails.size(); ++i)
    if (!tails[i].has_input)
      for (const uint32_t symbol : tails[i].kernels) common.add(symbol);
  common.finish();
  PlaceSearch search;
  std::vector<size_t> places;
  size_t inputs = 0;
  for (size_t i = 0; i < tails.size(); ++i) {
    StepAnchor update{0, 0};
    size_t launches = 0;
    for (size_t at = passes[i].end; at < tails[i].update.end; ++at) {
      if (!is_main_kernel(sequence.launches[at]) || common.has(sequence.launches[at].symbol)) continue;
      if (launches++ == 0) update.first = at;
      update.end = at + 1;
    }
    inputs += tails[i].has_input;
    const bool is_last = i + 1 == tails.size();
    if (launches < kUpdateLaunches || !(tails[i].has_input || is_last)) continue;
    search.anchors.push_back(update);
    places.push_back(i);
  }
  if (places.size() < 2 || static_cast<double>(places.size()) < kCueShare * static_cast<double>(inputs)) return {};
  search.ends_with_update = true;
  search.passes = even_distance(places);
  return search;
}

// How many of the kernels launched behind each backward pass are not launched behind most of them.
class Rarities {
 public:
  Rarities(const LaunchSequence& sequence, const std::vector<Tail>& tails) : tails_with_(sequence.symbols, 0) {
    for (size_t i = 0; i + 1 < tails.size(); ++i)
      for (const uint32_t symbol : tails[i].kernels) ++tails_with_[symbol];
    most_ = static_cast<size_t>(kCueShare * static_cast<double>(tails.size() - 1));
  }
  bool is_rare(const Launch& launch) const { return is_main_kernel(launch) && tails_with_[launch.symbol] < most_; }

 private:
  std::vector<size_t> tails_with_;
  size_t most_ = 0;
};

// Updates behind every n-th pass, by kernels that the others do not have.
PlaceSearch updates_by_rarity(const LaunchSequence& sequence, const std::vector<StepAnchor>& passes,
                              const std::vector<Tail>& tails) {
  const Rarities rarities(sequence, tails);
  PlaceSearch search;
  std::vector<size_t> places;
  for (size_t i = 0; i < passes.size(); ++i) {
    StepAnchor update{0, 0};
    size_t launches = 0;
    const size_t end = i + 1 < passes.size() ? passes[i + 1].first : sequence.launches.size();
    for (size_t at = passes[i].end; at < end; ++at) {
      if (!rarities.is_rare(sequence.launches[at])) continue;
      if (launches++ == 0) update.first = at;
      update.end = at + 1;
    }
    if (launches < kUpdateLaunches) continue;
    search.anchors.push_back(update);
    places.push_back(i);
  }
  if (places.size() < 3) return {};
  search.ends_with_update = true;
  search.passes = even_distance(places);
  return search.passes >= 2 ? search : PlaceSearch();
}

}  // namespace

PlaceSearch updates_by_place(const LaunchSequence& sequence) {
  if (!sequence.has_backward_thread) return {};
  const std::vector<StepAnchor> passes = backward_passes(sequence);
  if (passes.size() < 2) return {};
  const std::vector<Tail> tails = tails_of(sequence, passes);
  const auto with_input =
      std::count_if(tails.begin(), tails.end() - 1, [](const Tail& tail) { return tail.has_input; });
  const bool is_after_all = static_cast<double>(with_input) >= kCueShare * static_cast<double>(tails.size() - 1);
  PlaceSearch search = is_after_all     ? updates_before_input(tails)
                       : with_input > 0 ? updates_of_shared_input(sequence, passes, tails)
                                        : PlaceSearch();
  if (search.anchors.empty() && !is_after_all) search = updates_by_rarity(sequence, passes, tails);
  if (!search.anchors.empty()) return search;
  search = {passes, false, 1};
  add_captured_steps(sequence, search.anchors);
  search.passes = join_turns(sequence, search.anchors);
  return search;
}

}  // namespace tauprof
