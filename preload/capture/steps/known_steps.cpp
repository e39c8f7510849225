#include "capture/steps/known_steps.h"

namespace tauprof::capture {
namespace {

// The fewest steps that show that they are the same ones again: several critic steps of a GAN are alike before its
// generator is updated.
constexpr size_t kFewSteps = 8;

// Step starts that another search does not find are seldom if they are at most one in this many.
constexpr size_t kSeldom = 4;
// Steps differ more in time than in launches.
constexpr uint64_t kMuchLonger = 2;

}  // namespace

void KnownSteps::append(const StepStart& start) {
  kept_[(first_ + size_) % kKept] = start;
  if (size_ < kKept)
    ++size_;
  else
    first_ = (first_ + 1) % kKept;
}

const StepStart* KnownSteps::find(uint64_t position) const {
  size_t low = 0, high = size_;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (at(middle).position < position)
      low = middle + 1;
    else
      high = middle;
  }
  return low < size_ && at(low).position == position ? &at(low) : nullptr;
}

void KnownSteps::forget_from(uint64_t position) {
  while (size_ > 0 && newest().position >= position) --size_;
}

void KnownSteps::measure() {
  longest_ = longest_ticks_ = 0;
  shortest_ = UINT64_MAX;
  for (size_t i = 1; i < size_; ++i) {
    const uint64_t length = at(i).position - at(i - 1).position;
    if (length > longest_) longest_ = length;
    if (at(i).ticks - at(i - 1).ticks > longest_ticks_) longest_ticks_ = at(i).ticks - at(i - 1).ticks;
    if (length < shortest_) shortest_ = length;
  }
}

// Whether more than a few step starts in the range of both searches were found by only one of them. One difference is
// allowed: the last start of the search before was its least certain.
bool KnownSteps::differ(const SearchedSteps& searched, size_t first) const {
  const uint64_t from = searched.starts[first].position;
  size_t found = 0, both = 0, known = 0;
  for (size_t i = first; i < searched.count && searched.starts[i].position < searched_; ++i) {
    ++found;
    both += find(searched.starts[i].position) != nullptr;
  }
  for (size_t i = 0; i < size_; ++i) known += at(i).position >= from && at(i).position < searched_;
  const size_t others = found + known - 2 * both;
  return found == 0 || others > 1 + found / kSeldom;
}

void KnownSteps::take(const SearchedSteps& searched) {
  if (searched.count == 0) return;
  // Take over from the first start already known. The search may have seen only a part of any step before it.
  size_t first = 0;
  while (searched.from > 0 && first < searched.count && find(searched.starts[first].position) == nullptr) ++first;
  const bool is_joined = searched.from > 0 && first < searched.count;
  if (!is_joined) first = 0;
  uint64_t number = is_joined ? find(searched.starts[first].position)->number : 0;
  if (!is_joined && searched.from > 0) {
    forget_from(searched.starts[0].position);
    if (size_ > 0) number = newest().number + 1;
  }
  const bool are_others = differ(searched, first);
  forget_from(searched.from > 0 ? searched.starts[first].position : 0);
  for (size_t i = first; i < searched.count; ++i) {
    StepStart start = searched.starts[i];
    start.number = number++;
    append(start);
  }
  if (are_others) same_since_ = searched.until;
  searched_ = searched.until;
  searched_number_ = newest().number + searched.is_last_over;
  pattern_ = searched.pattern;
  measure();
  const uint64_t start = at(0).position;
  are_settled_ = (are_settled_ && !are_others) || (searched.count >= kFewSteps && !searched.is_early &&
                                                   searched.until - start >= 2 * (same_since_ - start));
}

bool KnownSteps::is_overdue(const LaunchHistory& history, uint64_t position) const {
  if (size_ < 2) return false;
  const bool takes_long = history.at(position).start - newest().ticks > kMuchLonger * longest_ticks_;
  return takes_long || position - newest().position > longest_;
}

uint64_t KnownSteps::most_unseen(uint64_t position) const {
  if (pattern_.is_known() || size_ == 0) return 0;
  return 1 + (position - newest().position) / shortest_;
}

bool KnownSteps::take_launch(const LaunchHistory& history, uint64_t position) {
  const SeenLaunch& launch = history.at(position);
  if (size_ == 0 || launch.facts.kind == LaunchKind::kSync || !pattern_.fits(history, launch.ordinal)) return false;
  append({position, launch.start, 0, newest().number + 1});
  return true;
}

void KnownSteps::take_remaining(const LaunchHistory& history) {
  if (size_ == 0) return;
  for (uint64_t position = newest().position + 1; position < history.count(); ++position)
    take_launch(history, position);
}

}  // namespace tauprof::capture
