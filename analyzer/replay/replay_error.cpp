#include "replay/replay_error.h"

#include <algorithm>
#include <cmath>

#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

// A delay of one operation. Operations of one class are the same one in different steps; those of one family share the
// name only.
struct DelayEntry {
  uint64_t family;
  uint32_t ordinal;  // in its step
  bool is_odd;
  Nanoseconds delay;
  OperationId operation;
};

// The operations of one rank whose delays are replaced, with their classes.
std::vector<DelayEntry> entries_of(const RunGraph& run, size_t rank) {
  std::vector<DelayEntry> entries;
  struct Count {
    int64_t step = kNoStep;
    uint32_t next = 0;
  };
  constexpr size_t kKinds = static_cast<size_t>(OperationKind::kOtherWork) + 1;
  std::vector<Count> counts(run.name_count() * kKinds);
  run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
    const int64_t step = run.step_of(rank, operation);
    if (step == kNoStep || run.graph().edges(id).empty()) return;
    const uint64_t family = run.name_of(rank, operation) * kKinds + static_cast<uint64_t>(operation.kind);
    Count& count = counts[family];
    if (count.step != step) count = {step, 0};
    entries.push_back({family, count.next++, (step & 1) != 0, run.graph().delay(id), id});
  });
  return entries;
}

// Replaces the delays of a sorted range of entries that belong together; those without any in the other half stay.
template <class Replace>
void exchange(const DelayEntry* begin, const DelayEntry* end, Replace&& replace) {
  std::vector<Nanoseconds> halves[2];
  for (const DelayEntry* entry = begin; entry != end; ++entry) halves[entry->is_odd].push_back(entry->delay);
  for (const bool is_odd : {false, true}) {
    if (halves[!is_odd].empty()) continue;
    const Nanoseconds others = lower_median(halves[!is_odd]);
    for (const DelayEntry* entry = begin; entry != end; ++entry)
      if (entry->is_odd == is_odd) replace(entry->operation, others);
  }
}

template <class Same, class Replace>
void exchange_all(const std::vector<DelayEntry>& entries, Same&& same, Replace&& replace) {
  for (size_t first = 0; first < entries.size();) {
    size_t last = first;
    while (last < entries.size() && same(entries[first], entries[last])) ++last;
    exchange(entries.data() + first, entries.data() + last, replace);
    first = last;
  }
}

}  // namespace

std::optional<ReplayError> replay_error(const RunGraph& run) {
  const std::vector<double> measured = run.step_lengths(run.measured());
  if (measured.size() < 2) return std::nullopt;
  LargeArray<Nanoseconds> delays(run.graph().size());
  for (OperationId id = 0; id < delays.size(); ++id) delays[id] = run.graph().delay(id);
  const auto replace = [&](OperationId id, Nanoseconds delay) { delays[id] = delay; };
  for (size_t rank = 0; rank < run.rank_count(); ++rank) {
    std::vector<DelayEntry> entries = entries_of(run, rank);
    std::sort(entries.begin(), entries.end(), [](const DelayEntry& a, const DelayEntry& b) {
      return a.family != b.family ? a.family < b.family : a.ordinal < b.ordinal;
    });
    // First by what has the same name, which holds where the same operation is not in other steps.
    exchange_all(entries, [](const DelayEntry& a, const DelayEntry& b) { return a.family == b.family; }, replace);
    exchange_all(
        entries,
        [](const DelayEntry& a, const DelayEntry& b) { return a.family == b.family && a.ordinal == b.ordinal; },
        replace);
  }
  Schedule<Nanoseconds> schedule;
  replay(
      run.graph(), [&](OperationId id) { return run.graph().duration(id); }, [&](OperationId id) { return delays[id]; },
      schedule);
  const std::vector<double> replayed = run.step_lengths(schedule);
  ReplayError error;
  for (size_t step = 0; step < measured.size(); ++step) {
    const double off = measured[step] > 0 ? std::abs(replayed[step] - measured[step]) / measured[step] : 0;
    error.mean += off / static_cast<double>(measured.size());
    error.worst = std::max(error.worst, off);
  }
  return error;
}

}  // namespace tauprof
