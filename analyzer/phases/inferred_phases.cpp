#include "phases/inferred_phases.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "phases/kernel_parts.h"
#include "steps/launching_threads.h"

namespace tauprof {
namespace {

constexpr uint32_t kAfterUpdate = kUpdatePhases | phase_bit(Phase::kSyncGather);

// Facts about a whole trace.
class Facts {
 public:
  Facts(const ProcessTrace& trace, const LaunchedWork& work, const std::vector<PhaseTrack>& tracks,
        const PhaseRules& rules)
      : trace_(trace), work_(work), rules_(rules), threads_(trace.threads.size()), kernels_(trace.names.size()) {
    for (const PhaseTrack& track : tracks) updates_have_ranges_ |= track.has(Phase::kOptimStep);
    find_backward_threads(tracks);
    find_last_passes();
    find_next_launches();
  }

  struct Kernel {
    bool is_known = false;
    KernelPart part = KernelPart::kNone;
    std::optional<Phase> phase;  // by a rule of the user's
  };
  const Kernel& kernel(uint32_t call) {
    static constexpr Kernel kNoKernel{true, KernelPart::kNone, std::nullopt};
    const NameId name = call == kNoIndex ? kNoName : work_.kernel[call];
    if (name == kNoName) return kNoKernel;
    Kernel& kernel = kernels_[name];
    if (!kernel.is_known) kernel = {true, kernel_part(trace_.names[name]), rules_.phase_of_kernel(trace_.names[name])};
    return kernel;
  }

  bool is_backward(uint16_t thread) const { return threads_[thread].is_backward; }
  bool computes(uint16_t thread) const { return threads_[thread].computes; }
  bool has_backward_thread() const { return has_backward_thread_; }
  bool updates_have_ranges() const { return updates_have_ranges_; }  // then the ranges say where they start and end
  bool is_extra(const HostCall& call) const { return call.start >= trace_.steps[call.step].extra_start; }
  bool is_behind_passes(const HostCall& call) const { return call.start > last_pass_[call.step]; }
  // Of the next launch on its thread and in its step.
  KernelPart next_part(uint32_t call) { return kernel(next_launch_[call]).part; }

 private:
  struct Thread {
    bool is_backward = false;
    bool computes = false;  // it launches more than collectives, messages and copies
  };

  // Where ranges of some such thread speak of backward, those without any are none.
  void find_backward_threads(const std::vector<PhaseTrack>& tracks) {
    const std::vector<LaunchingThread> launching = launching_threads(trace_);
    bool is_said = false;
    for (size_t i = 0; i < threads_.size(); ++i) is_said |= launching[i].is_backward && tracks[i].has(Phase::kBackward);
    for (size_t i = 0; i < threads_.size(); ++i) {
      const bool is_named = is_autograd_thread(trace_.names[trace_.threads[i].name]);
      threads_[i].is_backward = launching[i].is_backward && (is_named || !is_said || tracks[i].has(Phase::kBackward));
      has_backward_thread_ |= threads_[i].is_backward;
    }
    for (size_t i = 0; i < trace_.calls.size(); ++i)
      threads_[trace_.calls[i].thread].computes |= work_.work[i] == Work::kKernel;
  }

  void find_last_passes() {
    constexpr Nanoseconds kNone = std::numeric_limits<Nanoseconds>::max();
    last_pass_.assign(trace_.steps.size(), kNone);
    for (size_t i = 0; i < trace_.calls.size(); ++i) {
      const HostCall& call = trace_.calls[i];
      if (call.step == kNoStep || work_.work[i] != Work::kKernel || !is_backward(call.thread)) continue;
      Nanoseconds& last = last_pass_[call.step];
      last = last == kNone ? call.start : std::max(last, call.start);
    }
  }

  void find_next_launches() {
    next_launch_.assign(trace_.calls.size(), kNoIndex);
    for (size_t i = trace_.calls.size(); i-- > 1;) {
      const HostCall &next = trace_.calls[i], &call = trace_.calls[i - 1];
      if (call.thread != next.thread || call.step != next.step) continue;
      next_launch_[i - 1] = launches_work(next.call_class) ? static_cast<uint32_t>(i) : next_launch_[i];
    }
  }

  const ProcessTrace& trace_;
  const LaunchedWork& work_;
  const PhaseRules& rules_;
  std::vector<Thread> threads_;
  std::vector<Kernel> kernels_;         // by name
  std::vector<Nanoseconds> last_pass_;  // by step: when a backward thread launched its last kernel; max: it did not
  std::vector<uint32_t> next_launch_;
  bool has_backward_thread_ = false;
  bool updates_have_ranges_ = false;
};

// The phases of one thread's calls, in their order.
class ThreadPhases {
 public:
  ThreadPhases(ProcessTrace& trace, const LaunchedWork& work, Facts& facts, const PhaseTrack& ranges)
      : trace_(trace), work_(work), facts_(facts), ranges_(ranges) {}

  void take(uint32_t index) {
    HostCall& call = trace_.calls[index];
    if (call.step == kNoStep) return;  // outside of all steps: no phase
    if (call.step != step_) start_step(call.step);
    follows_as_.reset();
    const std::optional<Phase> range = ranges_.at(call.start);
    const std::optional<Phase> phase = range ? of_range(*range, call.thread) : phase_of(index);
    const bool launches = launches_work(call.call_class);
    if (!phase) {
      (launches ? waiting_launches_ : waiting_).push_back(index);
      return;
    }
    call.phase = *phase;
    if (!launches) return;
    settle(*phase, false, range.has_value());
    settle_clipping(index, *phase);
    remember(call, follows_as_.value_or(*phase));
  }
  void end() { settle(Phase::kOther, true, false); }

 private:
  void start_step(int32_t step) {
    settle(Phase::kOther, true, false);
    step_ = step;
    before_.reset();
    is_after_copy_ = false;
    in_clipping_.clear();
  }

  // A forward pass in a backward pass computes again what was freed.
  Phase of_range(Phase phase, uint16_t thread) const {
    return phase == Phase::kForward && facts_.is_backward(thread) ? Phase::kBackward : phase;
  }

  // nullopt: the phase of what comes next.
  std::optional<Phase> phase_of(uint32_t index) {
    const HostCall& call = trace_.calls[index];
    if (const std::optional<Phase> by_rule = facts_.kernel(index).phase) return by_rule;
    if (facts_.is_backward(call.thread)) {
      const bool only_talks = work_.work[index] == Work::kMessage && !facts_.computes(call.thread);
      return only_talks ? Phase::kOther : Phase::kBackward;
    }
    if (call.is_input_copy)
      return facts_.next_part(index) == KernelPart::kListNorm ? Phase::kUnscaleClip : Phase::kHostToDevice;
    if (is_after_copy_ && waits_for_stream(call)) return Phase::kHostToDevice;
    if (work_.copies_back(index)) return Phase::kSyncGather;
    switch (work_.work[index]) {
      case Work::kMessage:
        return Phase::kOther;
      case Work::kCollective:
        return facts_.is_extra(call) ? Phase::kOther : of_collective(index);
      case Work::kKernel:
      case Work::kCopy:
      case Work::kFill:
        return facts_.is_extra(call) ? Phase::kOther : of_device_work(index);
      case Work::kNone:
        return blocks_host(call.call_class) ? std::optional(of_wait(call)) : std::nullopt;
    }
    return Phase::kOther;
  }

  bool waits_for_stream(const HostCall& call) const {
    return call.call_class == CallClass::kSync &&
           trace_.names[call.function].find("StreamSynchronize") != std::string_view::npos;
  }

  std::optional<Phase> of_device_work(uint32_t index) {
    const HostCall& call = trace_.calls[index];
    const KernelPart part = facts_.kernel(index).part;
    switch (part) {
      case KernelPart::kClipping:
      case KernelPart::kListNorm:
        return Phase::kUnscaleClip;
      case KernelPart::kUpdate:
        return Phase::kOptimStep;
      case KernelPart::kClearing:
        return Phase::kZeroGradSched;
      default:
        break;
    }
    const bool is_clip_factor = part == KernelPart::kClipFactor && before_ == Phase::kUnscaleClip;
    if (is_clip_factor) return Phase::kUnscaleClip;
    if (work_.work[index] == Work::kFill && is_after(kUpdatePhases)) return Phase::kZeroGradSched;
    if (work_.work[index] == Work::kFill && !before_) return Phase::kOther;
    if (!facts_.has_backward_thread()) return of_order(index, part);
    const bool is_list = part == KernelPart::kList || part == KernelPart::kClipFactor;
    if (!facts_.is_behind_passes(call)) return is_list ? Phase::kOther : Phase::kForward;
    return is_list && !facts_.updates_have_ranges() ? Phase::kOptimStep : Phase::kOther;
  }

  // One thread launches everything.
  std::optional<Phase> of_order(uint32_t index, KernelPart part) {
    if (part == KernelPart::kBackward) return Phase::kBackward;
    if (part == KernelPart::kForward) return Phase::kForward;
    if (part == KernelPart::kLoss) {
      follows_as_ = Phase::kBackward;
      return Phase::kForward;
    }
    if (before_) return is_in(*before_, kPassPhases) ? *before_ : Phase::kOther;
    if (work_.work[index] != Work::kKernel) return Phase::kOther;
    const bool is_graph = trace_.names[trace_.calls[index].function].find("GraphLaunch") != std::string_view::npos;
    return is_graph ? std::optional(Phase::kForward) : std::nullopt;
  }

  std::optional<Phase> of_collective(uint32_t index) const {
    const HostCall& call = trace_.calls[index];
    if (facts_.has_backward_thread() && !facts_.is_behind_passes(call)) return Phase::kForward;
    const std::optional<Phase> before = before_in_process(call);
    if (!before) return std::nullopt;
    const bool reduces = work_.operation(index) == log::Operation::kAllReduce;
    return reduces && facts_.has_backward_thread() && is_in(*before, kAfterUpdate) ? Phase::kSyncGather : *before;
  }

  Phase of_wait(const HostCall& call) const {
    const std::optional<Phase> before = before_in_process(call);
    if (!before) return Phase::kOther;
    return is_in(*before, kAfterUpdate) ? Phase::kSyncGather : *before;
  }

  // Of the launch before. Behind the last pass of a backward thread that is the pass, unless this thread went on since.
  std::optional<Phase> before_in_process(const HostCall& call) const {
    const bool is_pass = facts_.is_behind_passes(call) && (!before_ || *before_ == Phase::kForward);
    return is_pass ? Phase::kBackward : before_;
  }

  bool is_after(uint32_t phases) const { return before_ && is_in(*before_, phases); }

  // Settles the calls that wait for what comes next: launches wait for the next pass over the model, others for the
  // next launch. A launch inside a range gives them no phase, because the work of a range does not start before the
  // range.
  void settle(Phase phase, bool is_end, bool is_in_range) {
    const auto settle_all = [&](std::vector<uint32_t>& calls) {
      for (const uint32_t index : calls) trace_.calls[index].phase = is_in_range ? Phase::kOther : phase;
      calls.clear();
    };
    settle_all(waiting_);
    if (is_in(phase, kPassPhases) || is_end) settle_all(waiting_launches_);
  }

  // Kernels that nothing names, between clipping and more of it or the update, join the norms and make the factor.
  void settle_clipping(uint32_t index, Phase phase) {
    if (before_ == Phase::kUnscaleClip && phase == Phase::kOther && work_.work[index] == Work::kKernel)
      return in_clipping_.push_back(index);
    if (phase == Phase::kUnscaleClip || phase == Phase::kOptimStep)
      for (const uint32_t call : in_clipping_) trace_.calls[call].phase = Phase::kUnscaleClip;
    in_clipping_.clear();
  }

  void remember(const HostCall& call, Phase phase) {
    // Input comes at any time. But on a thread that launches everything, it brings the next micro-batch.
    is_after_copy_ = call.is_input_copy;
    if (call.is_input_copy) {
      if (!facts_.has_backward_thread() && before_ == Phase::kBackward) before_.reset();
    } else if (phase != Phase::kOther) {
      before_ = phase;
    }
  }

  ProcessTrace& trace_;
  const LaunchedWork& work_;
  Facts& facts_;
  PhaseTrack::Cursor ranges_;
  int32_t step_ = kNoStep;
  std::optional<Phase> before_;      // of the launch before; nullopt: none in this step
  bool is_after_copy_ = false;       // an input copy was right before
  std::optional<Phase> follows_as_;  // the phase that the latest launch has for those behind it, if it is another
  std::vector<uint32_t> waiting_, waiting_launches_;
  std::vector<uint32_t> in_clipping_;  // behind the latest clipping, without a name
};

}  // namespace

void infer_phases(ProcessTrace& trace, const LaunchedWork& work, const std::vector<PhaseTrack>& tracks,
                  const PhaseRules& rules) {
  Facts facts(trace, work, tracks, rules);
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    ThreadPhases phases(trace, work, facts, tracks[thread]);
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) phases.take(i);
    phases.end();
  }
}

}  // namespace tauprof
