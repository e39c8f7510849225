#include "replay/replay_error.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

// The delays of one rank's operations, to be replaced by those of the same operation in other steps: of steps with an
// even number by those of steps with an odd one, and the other way round. Operations of one family share name and kind;
// the n-th of a family in each step are the same one. A delay behind the queue says nothing of one behind a launch, so
// only those behind edges of one sort stand for each other.
class OneRank {
 public:
  OneRank(const RunGraph& run, size_t rank) : run_(run), first_(run.name_count() * kKinds + 1) {
    for_each(rank, [&](uint64_t family, const Entry&) { ++first_[family + 1]; });
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    entries_.resize(first_.back());
    std::vector<uint32_t> next(first_.begin(), first_.end());
    for_each(rank, [&](uint64_t family, const Entry& entry) { entries_[next[family]++] = entry; });
  }

  template <class Replace>
  void exchange(Replace&& replace) {
    for (size_t family = 0; family + 1 < first_.size(); ++family) {
      const std::span<Entry> entries(entries_.data() + first_[family], first_[family + 1] - first_[family]);
      if (entries.empty()) continue;
      // First by what has the same name, which holds where the same operation is not in other steps.
      exchange(entries, replace);
      for_each_ordinal(entries, [&](std::span<const Entry> same) { exchange(same, replace); });
    }
  }

 private:
  static constexpr size_t kSorts = 3;  // of edges that an operation is late behind: its queue's, another, all
  static constexpr size_t kKinds = static_cast<size_t>(OperationKind::kOtherWork) + 1;
  struct Entry {
    OperationId operation;
    uint32_t ordinal : 29;  // of its family, in its step
    uint32_t sort : 2;
    uint32_t is_odd : 1;
    Nanoseconds delay;
  };

  template <class Take>
  void for_each(size_t rank, Take&& take) const {
    struct Count {
      int64_t step = kNoStep;
      uint32_t next = 0;
    };
    std::vector<Count> counts(first_.size() - 1);  // by family
    run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      const int64_t step = run_.step_of(rank, operation);
      if (step == kNoStep || run_.graph().edges(id).empty()) return;
      const uint64_t family = run_.name_of(rank, operation) * kKinds + static_cast<uint64_t>(operation.kind);
      Count& count = counts[family];
      if (count.step != step) count = {step, 0};
      take(family, Entry{id, count.next++ & (UINT32_MAX >> 3), sort_of(run_.graph().delayed_edge(id)),
                         static_cast<uint32_t>(step & 1), run_.graph().delay(id)});
    });
  }

  template <class Take>
  void for_each_ordinal(std::span<const Entry> entries, Take&& take) {
    uint32_t ordinals = 0;
    for (const Entry& entry : entries) ordinals = std::max<uint32_t>(ordinals, entry.ordinal + 1);
    first_of_ordinal_.assign(ordinals + 1, 0);
    for (const Entry& entry : entries) ++first_of_ordinal_[entry.ordinal + 1];
    for (size_t i = 1; i <= ordinals; ++i) first_of_ordinal_[i] += first_of_ordinal_[i - 1];
    by_ordinal_.resize(entries.size());
    for (const Entry& entry : entries) by_ordinal_[first_of_ordinal_[entry.ordinal]++] = entry;
    for (uint32_t i = 0, first = 0; i < ordinals; first = first_of_ordinal_[i++])
      take(std::span<const Entry>(by_ordinal_.data() + first, first_of_ordinal_[i] - first));
  }

  // Delays of which there are none in the other half stay.
  template <class Replace>
  void exchange(std::span<const Entry> entries, Replace&& replace) {
    for (auto& half : halves_)
      for (std::vector<Nanoseconds>& delays : half) delays.clear();
    for (const Entry& entry : entries) halves_[entry.is_odd][entry.sort].push_back(entry.delay);
    std::optional<Nanoseconds> medians[2][kSorts];
    for (const int half : {0, 1})
      for (size_t sort = 0; sort < kSorts; ++sort)
        if (!halves_[half][sort].empty()) medians[half][sort] = lower_median(halves_[half][sort]);
    for (const Entry& entry : entries)
      if (const auto& others = medians[1 - entry.is_odd][entry.sort]) replace(entry.operation, *others);
  }

  static uint32_t sort_of(uint32_t edge) { return (edge == kAllEdges ? 2 : std::min(edge, 1u)) & 3; }

  const RunGraph& run_;
  std::vector<uint32_t> first_;  // of each family, and one past the last
  std::vector<Entry> entries_;   // by family, then by start
  std::vector<uint32_t> first_of_ordinal_;
  std::vector<Entry> by_ordinal_;
  std::vector<Nanoseconds> halves_[2][kSorts];
};

}  // namespace

std::optional<ReplayError> replay_error(const RunGraph& run) {
  const std::vector<double> measured = run.step_lengths(run.measured());
  if (measured.size() < 2) return std::nullopt;
  std::vector<Nanoseconds> delays(run.graph().size());
  for (OperationId id = 0; id < delays.size(); ++id) delays[id] = run.graph().delay(id);
  const auto replace = [&](OperationId id, Nanoseconds delay) { delays[id] = delay; };
  for (size_t rank = 0; rank < run.rank_count(); ++rank) OneRank(run, rank).exchange(replace);
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
