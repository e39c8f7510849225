#include "capture/window/framework_steps.h"

namespace tauprof::capture {

FrameworkSteps framework_steps;

FrameworkSteps::Loop* FrameworkSteps::find(uint64_t thread) {
  for (size_t i = 0; i < count_; ++i)
    if (loops_[i].thread == thread) return &loops_[i];
  return nullptr;
}

FrameworkSteps::Loop* FrameworkSteps::loop_of(uint64_t thread) {
  if (Loop* const known = find(thread)) return known;
  Loop* const loop = room_for_one();
  if (loop != nullptr) loop->thread = thread;
  return loop;
}

// Takes the place of a thread that only evaluates if there is no other.
FrameworkSteps::Loop* FrameworkSteps::room_for_one() {
  if (count_ < kMostLoops) return &loops_[count_++];
  for (Loop& loop : loops_) {
    if (counts(loop) || !loop.steps.rounds().is_empty()) continue;
    loop = Loop{};
    return &loop;
  }
  return nullptr;
}

// A thread that has made no backward pass steps for the one that has.
FrameworkSteps::Loop* FrameworkSteps::loop_that_updates(uint64_t thread) {
  Loop* const own = find(thread);
  if (own != nullptr && own->steps.trains()) return own;
  return backward_ != nullptr ? backward_ : loop_of(thread);
}

bool FrameworkSteps::counts(const Loop& loop) const {
  if (loop.steps.evidence() != evidence_) return false;
  if (evidence_ != Evidence::kForwards) return true;
  for (const Loop* first = loops_; first != &loop; ++first)
    if (first->steps.evidence() == evidence_) return false;
  return true;
}

void FrameworkSteps::note_evidence(const Loop& loop) {
  if (loop.steps.evidence() <= evidence_) return;
  evidence_ = loop.steps.evidence();
  ended_ = nullptr;
}

// A thread that starts to train may step what was constructed on threads that do not; nobody else will step its own.
void FrameworkSteps::learn_optimizers(Loop& loop) {
  for (size_t i = 0; i < count_; ++i)
    if (&loops_[i] != &loop)
      loop.steps.rounds().for_each_awaited([&](uint64_t own) { loops_[i].steps.gives_up(static_cast<uint32_t>(own)); });
  for (size_t i = 0; i < count_; ++i)
    if (&loops_[i] != &loop && !loops_[i].steps.trains())
      loops_[i].steps.rounds().for_each_awaited(
          [&](uint64_t other) { loop.steps.awaits(static_cast<uint32_t>(other)); });
}

void FrameworkSteps::construct(uint64_t thread, uint32_t optimizer) {
  Loop* const own = loop_of(thread);
  if (own == nullptr) return;
  own->steps.awaits(optimizer);
  own->seen = number();
  if (own->steps.trains()) return;
  for (size_t i = 0; i < count_; ++i)
    if (loops_[i].steps.trains()) loops_[i].steps.awaits(optimizer);
}

void FrameworkSteps::starts(uint64_t thread, Pass pass) {
  Loop* const loop = pass == Pass::kUpdate ? loop_that_updates(thread) : loop_of(thread);
  if (loop == nullptr) return;
  const bool trained = loop->steps.trains();
  const bool is_end = loop->steps.starts(pass);
  if (!trained && loop->steps.trains()) learn_optimizers(*loop);
  note_evidence(*loop);
  if (pass == Pass::kBackward) backward_ = loop;
  loop->seen = number();
  if (loop == ended_ || (is_end && counts(*loop))) ended_ = nullptr;
}

void FrameworkSteps::forward_ends(uint64_t thread) {
  Loop* const loop = find(thread);
  if (loop != nullptr && loop->steps.forward_ends() && counts(*loop)) ended_ = loop;
}

void FrameworkSteps::clears(uint64_t thread) {
  Loop* const loop = find(thread);
  if (loop != nullptr && loop->steps.clears() && counts(*loop)) ended_ = loop;
}

void FrameworkSteps::updates(uint64_t thread, uint32_t optimizer) {
  Loop* const loop = loop_that_updates(thread);
  if (loop == nullptr) return;
  for (size_t i = 0; i < count_; ++i)
    if (&loops_[i] != loop) loops_[i].steps.gives_up(optimizer);
  if (loop->steps.updates(optimizer) && counts(*loop)) ended_ = loop;
}

template <class Sum>
uint64_t FrameworkSteps::sum(Sum of_loop) const {
  uint64_t sum = 0;
  for (size_t i = 0; i < count_; ++i)
    if (counts(loops_[i])) sum += of_loop(loops_[i].steps);
  return sum;
}

uint64_t FrameworkSteps::number() const {
  return sum([](const TrainingLoop& loop) { return loop.number(); });
}

uint64_t FrameworkSteps::least_number() const {
  return sum([](const TrainingLoop& loop) { return loop.least_number(); });
}

uint64_t FrameworkSteps::most_number() const {
  const uint64_t total = number();
  uint64_t in_progress = 0;
  for (size_t i = 0; i < count_; ++i) {
    const TrainingLoop& loop = loops_[i].steps;
    const bool has_ended = total > loops_[i].seen + 4 * count_;  // it says nothing while the others go on
    in_progress += !has_ended && (loop.trains() || loop.rounds().awaits_any());
  }
  return total + (in_progress > 0 ? in_progress - 1 : 0);
}

uint64_t FrameworkSteps::hidden() const {
  return sum([](const TrainingLoop& loop) { return loop.hidden(); });
}

bool FrameworkSteps::certain_number(uint64_t& number) const {
  if (evidence_ != Evidence::kUpdates || hidden() > kMostHidden) return false;
  number = sum([](const TrainingLoop& loop) { return loop.rounds_over(); });
  return number > 0;
}

bool FrameworkSteps::is_certain() const {
  uint64_t number = 0;
  return certain_number(number) && hidden() == 0;
}

bool FrameworkSteps::take_number(uint64_t thread, Pass pass) {
  Loop* const loop = find(thread);
  return loop != nullptr && counts(*loop) && loop->steps.take_number(pass);
}

}  // namespace tauprof::capture
