// The steps that have begun, by number: as the searches found them, and since then as the launches that lead to a begin
// showed them.
//
// A search sees more with every launch, and may find the steps before to be others (two optimizers that take turns). So
// the numbers are settled when the same steps, some of them at least, have been found again in twice as many launches.
// Until then they are not known.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/steps/begin_pattern.h"
#include "capture/steps/launch_history.h"

namespace tauprof::capture {

struct StepBegin {
  uint64_t position = 0;  // in the history, of the first launch
  uint64_t ticks = 0;     // when it was launched
  uint64_t extra = 0;     // ticks; where other work begins that was found behind the step's own; 0: there is none
  uint64_t number = 0;
};

// What a search in [from, until) has found.
struct SearchedSteps {
  const StepBegin* begins = nullptr;  // without numbers, rising; the last may be of a step that goes on
  size_t count = 0;
  uint64_t from = 0;
  uint64_t until = 0;
  bool is_last_over = false;  // the last one's update is there, only what follows it has not begun
  // More launches may well show other steps: an update is known by name, but was seen too seldom; or it may be turns.
  bool is_early = false;
  BeginPattern pattern;
};

class KnownSteps {
 public:
  void take(const SearchedSteps& searched);
  // A new launch, at `position`, that does not only wait: whether a step begins with it.
  bool take_launch(const LaunchHistory& history, uint64_t position);
  // The same of all launches since the newest begin, which are there already: a search may not have found the last one
  // yet, and went on while more was launched.
  void take_rest(const LaunchHistory& history);

  bool any() const { return size_ > 0; }
  bool are_settled() const { return are_settled_; }
  // How many steps can have begun unseen since the newest one, because nothing tells begins from other launches.
  uint64_t most_unseen(uint64_t position) const;
  // Of the current step.
  uint64_t number() const { return size_ > 0 ? newest().number : 0; }
  // Of the step that went on, or was to come, when the last search ended: no evaluation is counted that only began as a
  // step does.
  uint64_t searched_number() const { return searched_number_; }
  // Whether the current step is longer than any of those before, in launches or clearly in time, with this launch.
  bool is_overdue(const LaunchHistory& history, uint64_t position) const;
  uint64_t longest() const { return longest_; }

  // The last ones, from the oldest that is kept.
  size_t size() const { return size_; }
  const StepBegin& at(size_t index) const { return kept_[(first_ + index) % kKept]; }

 private:
  static constexpr size_t kKept = 1024;
  const StepBegin& newest() const { return at(size_ - 1); }
  void append(const StepBegin& begin);
  const StepBegin* find(uint64_t position) const;
  void forget_from(uint64_t position);
  void measure();
  bool differ(const SearchedSteps& searched, size_t first) const;

  StepBegin kept_[kKept] = {};
  size_t first_ = 0;
  size_t size_ = 0;
  BeginPattern pattern_;
  bool are_settled_ = false;
  uint64_t same_since_ = 0;  // the search that found these steps first ended here
  uint64_t searched_ = 0;    // where the last one did
  uint64_t searched_number_ = 0;
  uint64_t shortest_ = 0;  // launches of the shortest step that is kept …
  uint64_t longest_ = 0;   // … and of the longest
  uint64_t longest_ticks_ = 0;
};

}  // namespace tauprof::capture
