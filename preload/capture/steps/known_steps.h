// The steps that have started, by number: as the searches found them, and since the last search as StartPattern
// recognised them.
//
// A later search sees more launches and may divide the earlier ones differently (two optimizers that alternate). So the
// numbers are settled once a search over twice as many launches finds the same steps, and at least a few of them. Until
// then they are unknown.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/steps/launch_history.h"
#include "capture/steps/start_pattern.h"

namespace tauprof::capture {

struct StepStart {
  uint64_t position = 0;  // in the history, of the first launch
  uint64_t ticks = 0;     // when it was launched
  uint64_t extra = 0;     // ticks; extra work after the step starts here; 0: there is none
  uint64_t number = 0;
};

// What a search in [from, until) has found.
struct SearchedSteps {
  const StepStart* starts = nullptr;  // rising, without numbers; the last step may still be running
  size_t count = 0;
  uint64_t from = 0;
  uint64_t until = 0;
  bool is_last_over = false;  // the last step's update was seen; no launch since then starts another step
  // More launches may well show other steps: an update is known by name but was seen too seldom, or updates may
  // alternate.
  bool is_early = false;
  StartPattern pattern;
};

class KnownSteps {
 public:
  void take(const SearchedSteps& searched);
  // A new launch, at `position`, that does not only wait. Returns whether a step starts with it.
  bool take_launch(const LaunchHistory& history, uint64_t position);
  // Takes all launches since the newest step start: the search may not have found the last step yet, and more was
  // launched while it ran.
  void take_remaining(const LaunchHistory& history);

  bool any() const { return size_ > 0; }
  bool are_settled() const { return are_settled_; }
  // How many steps can have started unseen since the newest one, because nothing tells step starts from other launches.
  uint64_t most_unseen(uint64_t position) const;
  // Of the current step.
  uint64_t number() const { return size_ > 0 ? newest().number : 0; }
  // Of the step that was running, or due, when the last search ended. Unlike number(), it never counts an evaluation
  // that started like a step.
  uint64_t searched_number() const { return searched_number_; }
  // Whether the current step, with this launch, is longer than all earlier ones: in launches, or clearly in time.
  bool is_overdue(const LaunchHistory& history, uint64_t position) const;
  uint64_t longest() const { return longest_; }

  // The latest steps, from the oldest that is kept.
  size_t size() const { return size_; }
  const StepStart& at(size_t index) const { return kept_[(first_ + index) % kKept]; }

 private:
  static constexpr size_t kKept = 1024;
  const StepStart& newest() const { return at(size_ - 1); }
  void append(const StepStart& start);
  const StepStart* find(uint64_t position) const;
  void forget_from(uint64_t position);
  void measure();
  bool differ(const SearchedSteps& searched, size_t first) const;

  StepStart kept_[kKept] = {};
  size_t first_ = 0;
  size_t size_ = 0;
  StartPattern pattern_;
  bool are_settled_ = false;
  uint64_t same_since_ = 0;  // where the search ended that first found these steps
  uint64_t searched_ = 0;    // where the last search ended
  uint64_t searched_number_ = 0;
  uint64_t shortest_ = 0;  // launches of the shortest step that is kept …
  uint64_t longest_ = 0;   // … and of the longest
  uint64_t longest_ticks_ = 0;
};

}  // namespace tauprof::capture
