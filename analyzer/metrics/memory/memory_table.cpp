#include "metrics/memory/memory_table.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using Steps = std::vector<const StepMemory*>;

int64_t sum_of(const BytesByPhase& bytes) { return std::accumulate(bytes.begin(), bytes.end(), int64_t{0}); }

std::optional<int64_t> setting_of(const RankTimeline& rank, const char* name) {
  const auto found = rank.settings.find(name);
  if (found == rank.settings.end()) return std::nullopt;
  int64_t value = 0;
  const char* const end = found->second.data() + found->second.size();
  const auto [stopped, error] = std::from_chars(found->second.data(), end, value);
  if (error != std::errc() || stopped != end || value < 0) return std::nullopt;
  return value;
}

// The median slope of all pairs of steps (Theil and Sen): a buffer that is allocated once, or a step whose allocation
// falls behind its end, does not change it.
double growth_of(const std::vector<int64_t>& in_use) {
  if (std::all_of(in_use.begin(), in_use.end(), [&](int64_t bytes) { return bytes == in_use.front(); })) return 0;
  const size_t stride = 1 + in_use.size() / kMostGrowthSteps;
  std::vector<double> slopes;
  for (size_t i = 0; i < in_use.size(); i += stride)
    for (size_t j = i + stride; j < in_use.size(); j += stride)
      slopes.push_back(static_cast<double>(in_use[j] - in_use[i]) / static_cast<double>(j - i));
  const auto middle = slopes.begin() + static_cast<ptrdiff_t>(slopes.size() / 2);
  std::nth_element(slopes.begin(), middle, slopes.end());
  return *middle;
}

// The first half may still fill caches. With its last step: growth starts there.
Steps steady(const Steps& steps) {
  if (steps.size() < kFewestForGrowth) return steps;
  return Steps(steps.begin() + static_cast<ptrdiff_t>(steps.size() / 2 - 1), steps.end());
}

void add_growth(const Steps& steps, MemoryOfRank& memory) {
  if (steps.size() < kFewestForGrowth) return;
  const Steps half = steady(steps);
  std::vector<int64_t> in_use;
  for (const StepMemory* const step : half) in_use.push_back(sum_of(step->in_use));
  memory.growth_per_step = growth_of(in_use);
  size_t rises = 0;
  for (size_t i = 1; i < in_use.size(); ++i) rises += in_use[i] > in_use[i - 1];
  memory.is_growing = *memory.growth_per_step >= kLeastGrowth &&
                      static_cast<double>(rises) >= kGrowingSteps * static_cast<double>(in_use.size() - 1);
  for (size_t phase = 0; phase < kPhaseCount; ++phase) {
    for (size_t i = 0; i < half.size(); ++i) in_use[i] = half[i]->in_use[phase];
    memory.growth_by_phase[phase] = growth_of(in_use);
  }
}

void add_calls(const Steps& steps, MemoryOfRank& memory) {
  for (const StepMemory* const step : steps) memory.steps.push_back({step->number, sum_of(step->in_use)});
  uint64_t allocations = 0, frees = 0;
  const Steps counted = steady(steps);
  for (const StepMemory* const step : counted) {
    allocations += step->allocations;
    frees += step->frees;
  }
  const auto count = static_cast<double>(std::max<size_t>(1, counted.size()));
  memory.allocations_per_step = static_cast<double>(allocations) / count;
  memory.frees_per_step = static_cast<double>(frees) / count;
}

MemoryOfRank memory_of(const RankTimeline& rank, const StepSelection& selection) {
  MemoryOfRank memory;
  memory.rank = rank.rank;
  memory.peak_bytes = rank.memory.peak_bytes;
  memory.peak_by_phase = rank.memory.peak_by_phase;
  memory.is_lower_bound = rank.memory.is_lower_bound;
  if (rank.memory.device_bytes > 0) memory.device_bytes = rank.memory.device_bytes;
  memory.peak_allocated_bytes = setting_of(rank, "allocator.peak_allocated_bytes");
  memory.peak_reserved_bytes = setting_of(rank, "allocator.peak_reserved_bytes");
  memory.allocator_retries = setting_of(rank, "allocator.retries");
  // PyTorch has taken memory by calls that no hook saw.
  if (memory.peak_reserved_bytes.value_or(0) > memory.peak_bytes) memory.is_lower_bound = true;
  if (!rank.memory.is_recorded) return memory;
  Steps steps;
  for (const StepMemory& step : rank.memory.steps)
    if (selection.has(step.number)) steps.push_back(&step);
  add_growth(steps, memory);
  add_calls(steps, memory);
  return memory;
}

}  // namespace

std::vector<MemoryOfRank> memory_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  std::vector<MemoryOfRank> table;
  for (const RankTimeline* const rank : ranks) {
    MemoryOfRank memory = memory_of(*rank, steps);
    if (memory.most_bytes() > 0) table.push_back(std::move(memory));
  }
  return table;
}

}  // namespace tauprof
