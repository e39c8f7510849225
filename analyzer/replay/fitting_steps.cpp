#include "replay/fitting_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

struct StepSize {
  int64_t number = 0;
  uint64_t operations = 0;
  Nanoseconds length = 0;  // sum over the devices
};

int64_t number_of(const ProcessOperations& process, const OperationLabel& operation) {
  const auto step = static_cast<size_t>(operation.step);
  return operation.step == kNoStep || step >= process.step_numbers.size() ? kNoStep : process.step_numbers[step];
}

std::vector<StepSize> sizes_of(const std::vector<const ProcessOperations*>& processes) {
  std::map<int64_t, StepSize> sizes;
  for (const ProcessOperations* const process : processes) {
    for (const OperationLabel& operation : process->operations)
      if (const int64_t number = number_of(*process, operation); number != kNoStep) ++sizes[number].operations;
    for (const std::vector<OperationStep>& steps : process->steps)
      for (const OperationStep& step : steps) sizes[step.number].length += step.in(process->times).length();
  }
  std::vector<StepSize> result;
  for (auto& [number, size] : sizes) {
    size.number = number;
    result.push_back(size);
  }
  return result;
}

// How far the mean length of `sizes[first]` to `sizes[last]` is from the median of all.
double strangeness(const std::vector<StepSize>& sizes, size_t first, size_t last, Nanoseconds median) {
  double sum = 0;
  for (size_t i = first; i <= last; ++i) sum += static_cast<double>(sizes[i].length);
  return std::abs(sum / static_cast<double>(last - first + 1) - static_cast<double>(median));
}

}  // namespace

std::optional<FittingSteps> fitting_steps(const std::vector<const ProcessOperations*>& processes,
                                          const StepSelection& steps, uint64_t most_operations) {
  const std::vector<StepSize> sizes = sizes_of(processes);
  std::vector<Nanoseconds> lengths;
  for (const StepSize& size : sizes)
    if (steps.has(size.number)) lengths.push_back(size.length);
  if (lengths.empty()) return std::nullopt;
  const Nanoseconds median = lower_median(lengths);
  struct Place {
    size_t first, last, behind;
  };
  std::vector<Place> places;
  size_t most_steps = 0;
  for (size_t first = 0; first < sizes.size(); ++first) {
    uint64_t operations = 0;
    size_t end = first;
    while (end < sizes.size() && operations + sizes[end].operations <= most_operations)
      operations += sizes[end++].operations;
    // The last of the run needs none behind it.
    const size_t kept = end - first, behind = end - 1;
    const size_t whole = end == sizes.size() ? kept : kept - std::min<size_t>(kept, 1);
    if (whole == 0 || !steps.has(sizes[first].number) || !steps.has(sizes[first + whole - 1].number)) continue;
    places.push_back({first, first + whole - 1, behind});
    most_steps = std::max(most_steps, whole);
  }
  std::optional<FittingSteps> best;
  double least = std::numeric_limits<double>::max();
  for (const Place& place : places) {
    if (!is_as_much(place.last - place.first + 1, most_steps)) continue;
    const double strange = strangeness(sizes, place.first, place.last, median);
    if (strange >= least) continue;
    least = strange;
    best = {sizes[place.first].number, sizes[place.last].number, sizes[place.behind].number};
  }
  return best;
}

void keep_steps(const FittingSteps& kept, ProcessOperations& process) {
  Nanoseconds from = INT64_MAX, until = INT64_MIN;
  const auto is_in = [&](int64_t number) { return number >= kept.first && number <= kept.behind; };
  const auto count = static_cast<uint32_t>(process.operations.size());
  for (uint32_t i = 0; i < count; ++i) {
    if (!is_in(number_of(process, process.operations[i]))) continue;
    from = std::min(from, process.times[i].start);
    until = std::max(until, process.times[i].start);
  }
  std::vector<uint32_t> place(count, kNoIndex);
  uint32_t next = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const int64_t number = number_of(process, process.operations[i]);
    const Nanoseconds start = process.times[i].start;
    if (number == kNoStep ? start < from || start > until : !is_in(number)) continue;
    place[i] = next++;
  }
  std::vector<OperationLabel> operations;
  std::vector<Interval> times;
  std::vector<uint32_t> first_edge(1);
  std::vector<OperationEdge> edges;
  operations.reserve(next);
  times.reserve(next);
  for (uint32_t i = 0; i < count; ++i) {
    if (place[i] == kNoIndex) continue;
    operations.push_back(process.operations[i]);
    times.push_back(process.times[i]);
    for (uint32_t e = process.first_edge[i]; e < process.first_edge[i + 1]; ++e)
      if (const uint32_t before = place[process.edges[e].before]; before != kNoIndex)
        edges.push_back({before, process.edges[e].kind, process.edges[e].is_assumed});
    first_edge.push_back(static_cast<uint32_t>(edges.size()));
  }
  process.operations = std::move(operations);
  process.times = std::move(times);
  process.first_edge = std::move(first_edge);
  process.edges = std::move(edges);
  for (std::vector<OperationStep>& steps : process.steps) {
    const auto is_left_out = [&](uint32_t operation) { return place[operation] == kNoIndex; };
    for (OperationStep& step : steps) std::erase_if(step.last_works, is_left_out);
    std::erase_if(steps, [&](const OperationStep& step) {
      return step.number < kept.first || step.number > kept.last || is_left_out(step.first) ||
             (step.next == kNoIndex ? step.last_works.empty() : is_left_out(step.next));
    });
    for (OperationStep& step : steps) step.renumber([&](uint32_t operation) { return place[operation]; });
  }
}

}  // namespace tauprof
