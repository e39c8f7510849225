// Which updates end a step: the one that completes a round in which every optimizer has stepped.
//
// An optimizer counts from its construction until the others have stepped 32 times without it, and again once it steps.
// How often the others have stepped is counted in laps: a lap ends when an optimizer steps for the second time in it.
// So an optimizer per parameter is 1 lap per step of the program, however many there are. Example, a critic c that
// steps three times for each step of its generator g:
//
//     updates  c c c g c c c g
//     laps     0 1 2 2 3 4 5 5
//     rounds         |       |    each g completes one
//
// Both halves use it: the recorder for the windows of wanted steps, the analyzer for the report. So it also runs inside
// other people's processes: no allocation, no call, and all zeros is its initial state.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof {

class StepRounds {
 public:
  static constexpr uint32_t kPatience = 32;
  static constexpr size_t kMostOptimizers = 512;  // further ones complete no round, and no round waits for them

  // The optimizer is constructed: rounds wait for it.
  void construct(uint64_t optimizer) {
    if (find(optimizer) != nullptr) return;
    if (Optimizer* const added = add(optimizer)) added->missed_since = lap_;
  }

  // The optimizer steps. Whether that completes a round.
  bool update(uint64_t optimizer) {
    Optimizer* stepping = find(optimizer);
    if (stepping == nullptr) stepping = add(optimizer);
    if (stepping == nullptr) return false;
    if (stepping->has_stepped && stepping->lap == lap_) ++lap_;
    stepping->has_stepped = stepping->is_awaited = true;
    stepping->lap = lap_;
    stepping->missed_since = lap_ + 1;
    stepping->round = round_ + 1;
    return complete();
  }

  // No round waits for the optimizer until it steps again. Whether that completes a round.
  bool leave(uint64_t optimizer) {
    Optimizer* const leaving = find(optimizer);
    if (leaving == nullptr) return false;
    const bool was_missing = is_missing(*leaving);
    leaving->is_awaited = false;
    return was_missing && has_begun() && complete();
  }

  // Calls `visit` with each optimizer that a round waits for, and that has never stepped.
  template <class Visit>
  void for_each_awaited(Visit visit) const {
    for (size_t i = 0; i < count_; ++i)
      if (counts(optimizers_[i]) && !optimizers_[i].has_stepped) visit(optimizers_[i].id);
  }

  // Whether a round waits for an optimizer that has never stepped.
  bool awaits_any() const {
    bool any = false;
    for_each_awaited([&](uint64_t) { any = true; });
    return any;
  }
  bool is_empty() const { return count_ == 0; }
  uint32_t rounds() const { return round_; }
  uint32_t lap() const { return lap_; }

 private:
  struct Optimizer {
    uint64_t id;
    uint32_t lap;           // in which it stepped last
    uint32_t missed_since;  // the first lap without it
    uint32_t round;         // from 1: in which it stepped last
    bool has_stepped;
    bool is_awaited;
  };

  bool counts(const Optimizer& one) const { return one.is_awaited && lap_ - one.missed_since + 1 < kPatience; }
  bool is_missing(const Optimizer& one) const { return one.round != round_ + 1 && counts(one); }

  // Whether an optimizer has stepped in the round that is not complete.
  bool has_begun() const {
    for (size_t i = 0; i < count_; ++i)
      if (optimizers_[i].round == round_ + 1) return true;
    return false;
  }

  bool complete() {
    for (size_t i = 0; i < count_; ++i)
      if (is_missing(optimizers_[i])) return false;
    ++round_;
    return true;
  }

  Optimizer* find(uint64_t id) {
    for (size_t i = 0; i < count_; ++i)
      if (optimizers_[i].id == id) return &optimizers_[i];
    return nullptr;
  }

  // Takes the place of one that no longer counts if there is no other. nullptr: there is none.
  Optimizer* add(uint64_t id) {
    size_t place = count_;
    if (count_ < kMostOptimizers)
      ++count_;
    else
      for (place = 0; place < count_ && counts(optimizers_[place]);) ++place;
    if (place == kMostOptimizers) return nullptr;
    optimizers_[place] = Optimizer{id, 0, 0, 0, false, true};
    return &optimizers_[place];
  }

  Optimizer optimizers_[kMostOptimizers] = {};
  size_t count_ = 0;
  uint32_t lap_ = 0;
  uint32_t round_ = 0;
};

}  // namespace tauprof
