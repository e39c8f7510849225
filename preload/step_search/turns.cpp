#include "step_search/turns.h"

#include <algorithm>
#include <iterator>

#include "step_search/symbol_set.h"
#include "step_search/thresholds.h"

namespace tauprof {
namespace {

// What lies between an update's end and the next one's.
struct Pass {
  SymbolSet kernels;               // the different ones
  std::vector<uint32_t> launches;  // all of them, sorted
  bool has_input = false;
};

std::vector<Pass> passes_before(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors) {
  std::vector<Pass> passes(anchors.size());
  for (size_t i = 0; i < anchors.size(); ++i) {
    for (size_t at = i == 0 ? 0 : anchors[i - 1].end; at < anchors[i].end; ++at) {
      const Launch& launch = sequence.launches[at];
      // Without a backward thread: from the last input on, past what is evaluated in front of it.
      if (!sequence.has_backward_thread && launch.kind == LaunchKind::kInputCopy)
        passes[i].kernels = {}, passes[i].launches.clear();
      const bool counts = sequence.has_backward_thread ? is_backward_work(launch) : launch.kind == LaunchKind::kKernel;
      if (counts) passes[i].kernels.add(launch.symbol), passes[i].launches.push_back(launch.symbol);
      passes[i].has_input |= launch.kind == LaunchKind::kInputCopy;
    }
    passes[i].kernels.finish();
    std::sort(passes[i].launches.begin(), passes[i].launches.end());
  }
  return passes;
}

// By how often each kernel is launched: networks of the same kinds of layers have the same kernels.
bool do_the_same(const Pass& a, const Pass& b) {
  std::vector<uint32_t> shared;
  std::set_intersection(a.launches.begin(), a.launches.end(), b.launches.begin(), b.launches.end(),
                        std::back_inserter(shared));
  const size_t all = a.launches.size() + b.launches.size() - shared.size();
  return static_cast<double>(shared.size()) >= kAlikePasses * static_cast<double>(all);
}

bool have_the_same(const Pass& a, const Pass& b) { return a.kernels.likeness(b.kernels) >= kAlikePasses; }

// After how many passes they repeat; 1 where they do not. The first pass may hold the set-up.
template <class Alike>
size_t period_of(const std::vector<Pass>& passes, Alike&& are_alike) {
  for (size_t turns = 1; turns <= kMostTurns && passes.size() > 2 * turns + 1; ++turns) {
    size_t alike = 0;
    for (size_t i = 1; i + turns < passes.size(); ++i) alike += are_alike(passes[i], passes[i + turns]);
    if (static_cast<double>(alike) >= kTurnShare * static_cast<double>(passes.size() - 1 - turns)) return turns;
  }
  return 1;
}

// Whether passes without input of their own do other work than the one with input before them, and those with input are
// mostly alike.
bool differ_by_input(const std::vector<Pass>& passes) {
  size_t groups = 0, mixed = 0, inputs = 0, alike = 0, input = 0;
  bool is_counted = false, is_mixed = false;
  for (size_t i = 1; i < passes.size(); ++i) {
    if (passes[i].has_input) {
      if (input != 0) ++inputs, alike += do_the_same(passes[input], passes[i]);
      input = i;
      is_counted = is_mixed = false;
    } else if (input != 0) {
      groups += !is_counted;
      mixed += !is_mixed && !do_the_same(passes[input], passes[i]);
      is_mixed |= !do_the_same(passes[input], passes[i]);
      is_counted = true;
    }
  }
  return groups >= 2 && groups * kMostTurns >= inputs &&
         static_cast<double>(mixed) >= kTurnShare * static_cast<double>(groups) &&
         static_cast<double>(alike) >= kAgreeingSteps * static_cast<double>(inputs);
}

// Where steps begin: at each input, but where several turns bring some, at the first of them.
std::vector<size_t> begins_by_input(const std::vector<Pass>& passes) {
  size_t repeated = 0, inputs = 0;
  for (size_t i = 1; i < passes.size(); ++i) {
    inputs += passes[i].has_input;
    repeated += passes[i].has_input && passes[i - 1].has_input;
  }
  const bool are_several = static_cast<double>(repeated) > (1 - kCueShare) * static_cast<double>(inputs);
  std::vector<size_t> begins{0};
  for (size_t i = 1; i < passes.size(); ++i)
    if (passes[i].has_input && !(are_several && passes[i - 1].has_input)) begins.push_back(i);
  return begins;
}

std::vector<size_t> begins_by_period(size_t first, size_t passes, size_t turns) {
  std::vector<size_t> begins;
  for (size_t i = first; i < passes; i += turns) begins.push_back(i);
  return begins;
}

size_t first_with_input(const std::vector<Pass>& passes) {
  return std::find_if(passes.begin() + 1, passes.end(), [](const Pass& pass) { return pass.has_input; }) -
         passes.begin();
}

}  // namespace

size_t join_turns(const LaunchSequence& sequence, std::vector<StepAnchor>& anchors) {
  if (anchors.size() < 2) return 1;
  const std::vector<Pass> passes = passes_before(sequence, anchors);
  const bool has_input = std::any_of(passes.begin() + 1, passes.end(), [](const Pass& pass) { return pass.has_input; });
  size_t turns = 1;
  std::vector<size_t> begins;
  if (!has_input) {
    turns = period_of(passes, have_the_same);
    begins = begins_by_period(0, passes.size(), turns);
  } else if (differ_by_input(passes)) {
    begins = begins_by_input(passes);
    turns = (passes.size() + begins.size() / 2) / begins.size();
    // Several rounds over one input, or input that only evaluations have: each round is a step.
    if (const size_t period = period_of(passes, do_the_same); period > 1 && period < turns) {
      turns = period;
      begins = begins_by_period(first_with_input(passes) % period, passes.size(), period);
    }
  }
  if (turns == 1) return 1;
  std::vector<StepAnchor> joined;
  for (size_t i = 0; i < begins.size(); ++i) {
    const bool is_last = i + 1 == begins.size();
    if (is_last && begins[i] + turns > passes.size()) break;  // a part of a step
    joined.push_back({anchors[begins[i]].first, anchors[is_last ? passes.size() - 1 : begins[i + 1] - 1].end});
  }
  anchors = std::move(joined);
  return turns;
}

}  // namespace tauprof
