// The number of the step that a program is in, from what PyTorch says while it runs (framework/torch_marks.h).
//
// docs/metrics.md defines the steps. The analyzer, which sees the whole log, counts them exactly; this class cannot
// wait for what comes later.
//
// Each thread that trains has steps of its own (training_loop.h); the program's number is how many of them are over.
// Those threads count that have the best evidence so far: a thread that updates makes one that only evaluates count for
// nothing. Of several that only run forward passes, the first counts.
//
// An optimizer belongs to the thread that constructs it. If that thread does not train, any thread may step the
// optimizer, so all wait for it until one does. An update on a thread of autograd's belongs to the thread that started
// a backward pass last.
//
// All zeros is the initial state. Memory of loops that are not used is never touched.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/window/training_loop.h"

namespace tauprof::capture {

// The caller holds a lock. `thread`: any number except 0 that is no other thread's.
class FrameworkSteps {
 public:
  void construct(uint64_t thread, uint32_t optimizer);
  void starts(uint64_t thread, Pass pass);
  void forward_ends(uint64_t thread);
  void clears(uint64_t thread);
  void updates(uint64_t thread, uint32_t optimizer);

  // Whether PyTorch has said anything.
  bool any() const { return evidence_ != Evidence::kNone; }
  uint64_t number() const;
  // The least and the most that the number of a step in progress can be: each thread that trains is in a step, and any
  // may be the next to end.
  uint64_t least_number() const;
  uint64_t most_number() const;
  // Whether a step is over and no pass of the next has begun: what lies in between may belong to either.
  bool is_between() const { return ended_ != nullptr; }
  // Whether the number will not fall.
  bool is_certain() const;
  // Steps by updates alone: the number of the step in progress, which will not fall. False: there is none, because no
  // update has been seen yet, or not for long.
  bool certain_number(uint64_t& number) const;
  // Once a step, in the midst of it: true if the log should say that the thread is in step number() now.
  bool take_number(uint64_t thread, Pass pass);

 private:
  static constexpr uint64_t kMostHidden = StepRounds::kPatience;  // a skipped update is one; more are a program's way
  static constexpr size_t kMostLoops = 16;  // that train or construct optimizers; further ones do not count
  struct Loop {
    uint64_t thread;
    uint64_t seen;  // steps of the program when it was heard of last
    TrainingLoop steps;
  };

  Loop* find(uint64_t thread);
  Loop* loop_of(uint64_t thread);
  Loop* room_for_one();
  Loop* loop_that_updates(uint64_t thread);
  bool counts(const Loop& loop) const;
  void note_evidence(const Loop& loop);
  void learn_optimizers(Loop& loop);
  template <class Sum>
  uint64_t sum(Sum of_loop) const;
  uint64_t hidden() const;

  Loop loops_[kMostLoops] = {};
  size_t count_ = 0;
  Loop* backward_ = nullptr;  // which started a backward pass last
  Loop* ended_ = nullptr;     // whose step ended last, if it has not started the next one
  Evidence evidence_ = Evidence::kNone;
};

// The process's. A variable of its own, because one that is all zeros takes no room in the library's file.
extern FrameworkSteps framework_steps;

}  // namespace tauprof::capture
