#include "capture/steps/begin_pattern.h"

namespace tauprof::capture {
namespace {

// Wrong once in so many steps is seldom.
constexpr size_t kSeldom = 4;

}  // namespace

bool BeginPattern::has(const LaunchHistory& history, uint64_t behind) const {
  const uint64_t path = history.path_to(behind, length_log2_);
  for (size_t i = 0; i < count_; ++i)
    if (paths_[i] == path) return true;
  return false;
}

bool BeginPattern::gather(const LaunchHistory& history, const uint64_t* begins, size_t count) {
  count_ = 0;
  for (size_t i = 0; i < count; ++i) {
    if (begins[i] + 1 < uint64_t{1} << length_log2_ || has(history, begins[i] + 1)) continue;
    if (count_ == kMostPaths) return false;
    paths_[count_++] = history.path_to(begins[i] + 1, length_log2_);
  }
  return count_ > 0;
}

size_t BeginPattern::count_elsewhere(const LaunchHistory& history, const uint64_t* begins, size_t count, uint64_t from,
                                     uint64_t until) const {
  size_t next = 0, elsewhere = 0;
  for (uint64_t turn = from; turn < until; ++turn) {
    while (next < count && begins[next] < turn) ++next;
    const bool is_begin = next < count && begins[next] == turn;
    elsewhere += !is_begin && has(history, turn + 1);
  }
  return elsewhere;
}

void BeginPattern::learn(const LaunchHistory& history, const uint64_t* begins, size_t count, uint64_t from,
                         uint64_t until) {
  size_t least = count / kSeldom + 1;
  uint32_t best = LaunchHistory::kPathLengths;
  for (length_log2_ = 0; least > 0 && length_log2_ < LaunchHistory::kPathLengths; ++length_log2_) {
    if (!gather(history, begins, count)) continue;
    const size_t elsewhere = count_elsewhere(history, begins, count, from, until);
    if (elsewhere >= least) continue;
    least = elsewhere;
    best = length_log2_;
  }
  length_log2_ = best;
  count_ = 0;
  if (best < LaunchHistory::kPathLengths) gather(history, begins, count);
}

}  // namespace tauprof::capture
