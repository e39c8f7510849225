#include "capture/steps/step_guess.h"

#include "step_search/step_search_limits.h"

namespace tauprof::capture {
namespace {

// The most that programs launch around their one-time copies to the device. After that, any three launches may be an
// iteration.
constexpr uint64_t kSetUp = 256;

}  // namespace

bool StepGuess::is_update(const LaunchFacts& facts, LaunchThread thread) const {
  const bool is_sign =
      facts.role == UpdateRole::kUpdate || facts.role == UpdateRole::kList || facts.role == UpdateRole::kScale;
  return is_sign && thread != LaunchThread::kAutograd;
}

bool StepGuess::take(const LaunchFacts& facts, LaunchThread thread) {
  const uint64_t before = step();
  ++launches_;
  const bool is_work = facts.kind == LaunchKind::kKernel && facts.role == UpdateRole::kNone;
  if (facts.kind == LaunchKind::kInputCopy) inputs_.pass();
  if (facts.kind == LaunchKind::kReadback) readbacks_.pass();
  if (is_work) inputs_.is_between = readbacks_.is_between = true;
  if (facts.is_graph) ++graphs_;
  if (thread == LaunchThread::kAutograd && is_work) {
    passes_ += !is_in_pass_;
    is_in_pass_ = has_pass_ = true;
  } else if (thread != LaunchThread::kAutograd) {
    is_in_pass_ = false;
  }
  if (is_update(facts, thread)) {
    has_updates_ = true;
    // Where passes are known, other work between an update's kernels starts no step without a pass in between.
    if (passes_ == 0 || has_pass_) is_after_update_ = true;
    has_pass_ = false;
  } else if (is_after_update_ && facts.role == UpdateRole::kNone) {
    ++starts_;
    is_after_update_ = false;
  }
  return step() > before;
}

uint64_t StepGuess::step() const {
  if (has_updates_) return starts_ + graphs_;
  if (passes_ > 0) return passes_ - is_in_pass_ + graphs_;
  const uint64_t inputs = inputs_.count > 0 ? inputs_.count - 1 : 0;
  const uint64_t results = readbacks_.count > graphs_ ? readbacks_.count : graphs_;
  if (inputs == 0 && results == 0) return launches_ > kSetUp ? launches_ / kLeastPeriod : 0;
  return inputs > results ? inputs : results;
}

}  // namespace tauprof::capture
