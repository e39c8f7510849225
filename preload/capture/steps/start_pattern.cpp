#include "capture/steps/start_pattern.h"

namespace tauprof::capture {
namespace {

// Being wrong at most once in this many steps is seldom.
constexpr size_t kSeldom = 4;

}  // namespace

bool StartPattern::has(const LaunchHistory& history, uint64_t end) const {
  const uint64_t path = history.path_to(end, length_log2_);
  for (size_t i = 0; i < count_; ++i)
    if (paths_[i] == path) return true;
  return false;
}

bool StartPattern::gather(const LaunchHistory& history, const uint64_t* starts, size_t count) {
  count_ = 0;
  for (size_t i = 0; i < count; ++i) {
    if (starts[i] + 1 < uint64_t{1} << length_log2_ || has(history, starts[i] + 1)) continue;
    if (count_ == kMostPaths) return false;
    paths_[count_++] = history.path_to(starts[i] + 1, length_log2_);
  }
  return count_ > 0;
}

size_t StartPattern::count_elsewhere(const LaunchHistory& history, const uint64_t* starts, size_t count, uint64_t from,
                                     uint64_t until) const {
  size_t next = 0, elsewhere = 0;
  for (uint64_t ordinal = from; ordinal < until; ++ordinal) {
    while (next < count && starts[next] < ordinal) ++next;
    const bool is_start = next < count && starts[next] == ordinal;
    elsewhere += !is_start && has(history, ordinal + 1);
  }
  return elsewhere;
}

void StartPattern::learn(const LaunchHistory& history, const uint64_t* starts, size_t count, uint64_t from,
                         uint64_t until) {
  size_t least = count / kSeldom + 1;
  uint32_t best = LaunchHistory::kPathLengths;
  for (length_log2_ = 0; least > 0 && length_log2_ < LaunchHistory::kPathLengths; ++length_log2_) {
    if (!gather(history, starts, count)) continue;
    const size_t elsewhere = count_elsewhere(history, starts, count, from, until);
    if (elsewhere >= least) continue;
    least = elsewhere;
    best = length_log2_;
  }
  length_log2_ = best;
  count_ = 0;
  if (best < LaunchHistory::kPathLengths) gather(history, starts, count);
}

}  // namespace tauprof::capture
