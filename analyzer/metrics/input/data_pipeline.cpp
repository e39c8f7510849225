#include "metrics/input/data_pipeline.h"

#include <algorithm>
#include <numeric>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

constexpr auto kWait = static_cast<size_t>(Phase::kDataloadWait);
constexpr auto kCopy = static_cast<size_t>(Phase::kHostToDevice);

struct Groups {
  double low = 0, high = 0;  // means
  double limit = 0;          // waits above it are long
  size_t long_ones = 0;
};

// Splits waits into the two groups with the least variance within them.
Groups two_groups(std::vector<Nanoseconds> waits) {
  std::sort(waits.begin(), waits.end());
  Groups best;
  double most = -1, sum = 0;
  const double total = std::accumulate(waits.begin(), waits.end(), 0.0);
  for (size_t split = 1; split < waits.size(); ++split) {
    sum += static_cast<double>(waits[split - 1]);
    if (waits[split] == waits[split - 1]) continue;
    const double low = sum / static_cast<double>(split);
    const double high = (total - sum) / static_cast<double>(waits.size() - split);
    const double between =
        static_cast<double>(split) * static_cast<double>(waits.size() - split) * (high - low) * (high - low);
    if (between <= most) continue;
    most = between;
    best = {low, high, static_cast<double>(waits[split - 1]), waits.size() - split};
  }
  return best;
}

// The distance between long waits, in steps, if nearly all distances are the same; else 0.
size_t even_distance(const std::vector<size_t>& positions) {
  if (positions.size() < 3) return 0;
  std::vector<size_t> distances;
  for (size_t i = 1; i < positions.size(); ++i) distances.push_back(positions[i] - positions[i - 1]);
  std::vector<size_t> sorted = distances;
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
  const size_t median = sorted[sorted.size() / 2];
  const auto even = std::count(distances.begin(), distances.end(), median);
  return median >= 2 && static_cast<double>(even) >= kEvenWaits * static_cast<double>(distances.size()) ? median : 0;
}

// Batches between two successive long waits, at the median.
uint64_t median_between(const std::vector<size_t>& positions, const std::vector<uint64_t>& batches) {
  std::vector<uint64_t> counts;
  for (size_t i = 1; i < positions.size(); ++i)
    counts.push_back(std::accumulate(batches.begin() + static_cast<std::ptrdiff_t>(positions[i - 1] + 1),
                                     batches.begin() + static_cast<std::ptrdiff_t>(positions[i]), uint64_t{0}));
  if (counts.empty()) return 0;
  std::nth_element(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2), counts.end());
  return counts[counts.size() / 2];
}

// A host that runs ahead also waits for batches, and its device does not notice.
bool is_noticed(const RankTimeline& rank, const StepSelection& selection) {
  double idle = 0, duration = 0;
  for (const RankStep& step : rank.steps) {
    if (!selection.has(step.number) || !step.device) continue;
    duration += static_cast<double>(step.device->length());
    for (const LedgerCell& cell : step.cells)
      if (cell.row == LedgerRow::kIdleDataWait) idle += static_cast<double>(cell.length);
  }
  return duration == 0 || idle >= kNotableWait * duration;
}

void find_pattern(const RankTimeline& rank, const StepSelection& selection, RankInput& input) {
  std::vector<Nanoseconds> waits;
  std::vector<int64_t> numbers;
  std::vector<uint64_t> batches;
  double duration = 0;
  for (const RankStep& step : rank.steps) {
    if (!selection.has(step.number)) continue;
    waits.push_back(step.host_by_phase[kWait]);
    numbers.push_back(step.number);
    batches.push_back(step.batches);
    duration += static_cast<double>(step.device.value_or(step.host).length());
  }
  if (waits.empty() || duration <= 0 || rank.steps_source == kByTime) return;
  const double total = std::accumulate(waits.begin(), waits.end(), 0.0);
  if (total / duration < kNotableWait || *std::max_element(waits.begin(), waits.end()) < kWaking) return;
  if (!is_noticed(rank, selection)) return;
  input.pattern = WaitPattern::kSteady;
  if (waits.size() < kWaitsForPattern) return;
  const Groups groups = two_groups(waits);
  const double lowest_high = kGroupsApart * groups.low;
  if (groups.high < std::max(lowest_high, double{kWaking}) || are_most(groups.long_ones, waits.size())) return;
  if (groups.long_ones == 1) {
    if ((total - groups.high) / duration < kNotableWait) input.pattern = WaitPattern::kNone;
    return;
  }
  std::vector<size_t> positions;
  for (size_t i = 0; i < waits.size(); ++i)
    if (static_cast<double>(waits[i]) > groups.limit) positions.push_back(i), input.long_steps.push_back(numbers[i]);
  input.short_wait_ns = groups.low;
  input.long_wait_ns = groups.high;
  input.pattern = WaitPattern::kBimodal;
  if (groups.low <= kInTime * groups.high) input.batches_between = median_between(positions, batches);
  input.every = even_distance(positions);
  if (input.every == 0) return;
  // The first epoch starts at step 0, the others at multiples of an epoch's length.
  const bool is_from_zero = input.long_steps.front() % static_cast<int64_t>(input.every) == 0;
  input.pattern = is_from_zero && input.every >= kLeastEpoch ? WaitPattern::kEpochStart : WaitPattern::kEveryNth;
}

}  // namespace

DataPipeline data_pipeline(const std::vector<const RankTimeline*>& ranks, const StepSelection& selection) {
  DataPipeline result;
  std::vector<Nanoseconds> all_waits, all_copies;
  double batches = 0, seconds = 0;
  for (const RankTimeline* const rank : ranks) {
    RankInput input;
    input.rank = rank->rank;
    std::vector<Nanoseconds> waits, copies;
    for (const RankStep& step : rank->steps) {
      if (!selection.has(step.number)) continue;
      waits.push_back(step.host_by_phase[kWait]);
      input.batches += step.batches;
      if (!step.device) continue;
      copies.push_back(step.device_by_phase[kCopy]);
      result.copies.add(step.input_copies);
      const double length = static_cast<double>(step.device->length()) / 1e9;
      if (step.batches == 0 || length <= 0) continue;
      const double rate = step.batches / length;
      result.batches_per_s_min = std::min(result.batches_per_s_min.value_or(rate), rate);
      result.batches_per_s_max = std::max(result.batches_per_s_max.value_or(rate), rate);
      batches += step.batches;
      seconds += length;
    }
    all_waits.insert(all_waits.end(), waits.begin(), waits.end());
    all_copies.insert(all_copies.end(), copies.begin(), copies.end());
    input.fetch_wait = statistics_of(std::move(waits));
    input.copy = statistics_of(std::move(copies));
    find_pattern(*rank, selection, input);
    result.ranks.push_back(std::move(input));
  }
  if (seconds > 0) result.batches_per_s_mean = batches / seconds;
  result.fetch_wait = statistics_of(std::move(all_waits));
  result.copy = statistics_of(std::move(all_copies));
  return result;
}

}  // namespace tauprof
