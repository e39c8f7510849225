#include "steps/updates.h"

#include <algorithm>

#include "steps/symbol_set.h"
#include "steps/thresholds.h"

namespace tauprof {
namespace {

bool is_backward_work(const Launch& launch) { return launch.is_backward && launch.kind == LaunchKind::kKernel; }

// A stretch of launches between two update kernels.
struct Stretch {
  size_t kernels = 0;  // different ones
  bool has_backward = false;
  bool has_graph = false;
};

Stretch stretch_between(const LaunchSequence& sequence, size_t begin, size_t end, SymbolCounter& counter) {
  Stretch stretch;
  counter.clear();
  for (size_t i = begin; i < end; ++i) {
    const Launch& launch = sequence.launches[i];
    if (launch.kind == LaunchKind::kKernel) stretch.kernels += counter.add(launch.symbol);
    stretch.has_backward |= is_backward_work(launch);
    stretch.has_graph |= launch.is_graph;
  }
  return stretch;
}

std::vector<StepAnchor> bursts_of(const LaunchSequence& sequence) {
  std::vector<size_t> updates;
  for (size_t i = 0; i < sequence.launches.size(); ++i)
    if (sequence.launches[i].is_update) updates.push_back(i);
  if (updates.empty()) return {};
  SymbolCounter counter(sequence.symbols);
  std::vector<Stretch> stretches;
  size_t richest = 1;
  bool has_backward = false;
  for (size_t i = 1; i < updates.size(); ++i) {
    stretches.push_back(stretch_between(sequence, updates[i - 1] + 1, updates[i], counter));
    richest = std::max(richest, stretches.back().kernels);
    has_backward |= stretches.back().has_backward;
  }
  std::vector<StepAnchor> bursts{{updates.front(), updates.front() + 1}};
  for (size_t i = 1; i < updates.size(); ++i) {
    const Stretch& stretch = stretches[i - 1];
    const bool is_rich = static_cast<double>(stretch.kernels) >= kPassVocabulary * static_cast<double>(richest);
    const bool is_pass = stretch.has_graph || (is_rich && (stretch.has_backward || !has_backward));
    if (stretch.kernels > 0 && is_pass) bursts.push_back({updates[i], updates[i] + 1});
    bursts.back().end = updates[i] + 1;
  }
  return bursts;
}

// The different kernels from one update's end to the next one's.
std::vector<SymbolSet> passes_before(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors) {
  std::vector<SymbolSet> passes;
  for (size_t i = 0; i < anchors.size(); ++i) {
    SymbolSet kernels;
    for (size_t at = i == 0 ? 0 : anchors[i - 1].end; at < anchors[i].end; ++at)
      if (sequence.launches[at].kind == LaunchKind::kKernel) kernels.add(sequence.launches[at].symbol);
    kernels.finish();
    passes.push_back(std::move(kernels));
  }
  return passes;
}

size_t count_turns(const std::vector<SymbolSet>& passes) {
  // The first pass may hold the set-up.
  const auto share_alike = [&](size_t turns) {
    size_t alike = 0;
    for (size_t i = 1; i + turns < passes.size(); ++i)
      alike += passes[i].likeness(passes[i + turns]) >= kAlikeStretches;
    return static_cast<double>(alike) / static_cast<double>(passes.size() - 1 - turns);
  };
  for (size_t turns = 1; turns <= kMostTurns && passes.size() > 2 * turns + 1; ++turns)
    if (share_alike(turns) >= kTurnShare) return turns;
  return 1;
}

// Turn 0 is the one that brings in data, else the first recorded.
size_t first_turn(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors, size_t turns) {
  std::vector<size_t> copies(turns, 0);
  for (size_t i = 1; i < anchors.size(); ++i)
    for (size_t at = anchors[i - 1].end; at < anchors[i].first; ++at)
      if (sequence.launches[at].kind == LaunchKind::kInputCopy) {
        ++copies[i % turns];
        break;
      }
  return static_cast<size_t>(std::max_element(copies.begin(), copies.end()) - copies.begin());
}

void join_turns(const LaunchSequence& sequence, UpdateSearch& search) {
  search.turns = count_turns(passes_before(sequence, search.anchors));
  if (search.turns == 1) return;
  const size_t first = first_turn(sequence, search.anchors, search.turns);
  std::vector<StepAnchor> joined;
  // Turns before the first whole round are joined to it, to be left out as a part of a step.
  for (size_t i = first; i + search.turns <= search.anchors.size(); i += search.turns)
    joined.push_back({search.anchors[i].first, search.anchors[i + search.turns - 1].end});
  search.anchors = std::move(joined);
}

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

// How many of the kernels launched after each backward pass are not launched after most of them.
class Rarities {
 public:
  Rarities(const LaunchSequence& sequence, const std::vector<StepAnchor>& passes)
      : sequence_(sequence), sections_with_(sequence.symbols, 0) {
    SymbolCounter counter(sequence.symbols);
    for (size_t i = 0; i + 1 < passes.size(); ++i) {
      counter.clear();
      for (size_t at = passes[i].end; at < passes[i + 1].first; ++at)
        if (is_main_kernel(at) && counter.add(sequence_.launches[at].symbol))
          ++sections_with_[sequence_.launches[at].symbol];
    }
    most_ = static_cast<size_t>(kCueShare * static_cast<double>(passes.size() - 1));
  }
  bool is_rare(size_t at) const { return is_main_kernel(at) && sections_with_[sequence_.launches[at].symbol] < most_; }

 private:
  bool is_main_kernel(size_t at) const {
    return sequence_.launches[at].kind == LaunchKind::kKernel && !sequence_.launches[at].is_backward;
  }
  const LaunchSequence& sequence_;
  std::vector<size_t> sections_with_;
  size_t most_ = 0;
};

// Updates after every n-th backward pass; empty: none, or not in even distances.
std::vector<StepAnchor> updates_after_some(const LaunchSequence& sequence, const std::vector<StepAnchor>& passes,
                                           size_t& distance) {
  const Rarities rarities(sequence, passes);
  std::vector<StepAnchor> updates;
  std::vector<size_t> after;
  for (size_t i = 0; i < passes.size(); ++i) {
    StepAnchor update{0, 0};
    size_t launches = 0;
    const size_t end = i + 1 < passes.size() ? passes[i + 1].first : sequence.launches.size();
    for (size_t at = passes[i].end; at < end; ++at) {
      if (!rarities.is_rare(at)) continue;
      if (launches++ == 0) update.first = at;
      update.end = at + 1;
    }
    if (launches < kUpdateLaunches) continue;
    updates.push_back(update);
    after.push_back(i);
  }
  if (updates.size() < 3) return {};
  distance = after[1] - after[0];
  size_t even = 0;
  for (size_t i = 1; i < after.size(); ++i) even += after[i] - after[i - 1] == distance;
  const bool is_even = static_cast<double>(even) >= kTurnShare * static_cast<double>(after.size() - 1);
  return distance >= 2 && is_even ? updates : std::vector<StepAnchor>();
}

}  // namespace

UpdateSearch updates_by_name(const LaunchSequence& sequence) {
  UpdateSearch search;
  search.anchors = bursts_of(sequence);
  if (search.anchors.size() >= 2) join_turns(sequence, search);
  return search;
}

UpdateSearch updates_by_place(const LaunchSequence& sequence) {
  UpdateSearch search;
  if (!sequence.has_backward_thread) return search;
  const std::vector<StepAnchor> passes = backward_passes(sequence);
  if (passes.size() < 2) return search;
  search.anchors = updates_after_some(sequence, passes, search.passes);
  if (!search.anchors.empty()) return search;
  search.passes = 1;
  search.anchors = passes;
  search.ends_with_update = false;
  return search;
}

}  // namespace tauprof
