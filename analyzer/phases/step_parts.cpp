#include "phases/step_parts.h"

#include <algorithm>

#include "classify/optimizer_kernels.h"
#include "limits/analysis_limits.h"
#include "phases/after_update.h"
#include "phases/call_order.h"
#include "steps/launching_threads.h"

namespace tauprof {
namespace {

bool computes(const HostCall& call) {
  return call.call_class == CallClass::kKernel || call.call_class == CallClass::kGemm;
}

enum class Role : uint8_t { kUnknown, kClips, kNorm, kUpdates };

Role role_of(std::string_view kernel) {
  switch (update_role(kernel)) {
    case UpdateRole::kClipping:
      return Role::kClips;
    case UpdateRole::kUpdate:
    case UpdateRole::kList:
    case UpdateRole::kScale:
      return Role::kUpdates;
    default:
      return is_tensor_norm_kernel(kernel) ? Role::kNorm : Role::kUnknown;
  }
}

class PartFinder {
 public:
  PartFinder(const ProcessTrace& trace, const LaunchedWork& work)
      : trace_(trace),
        work_(work),
        threads_(launching_threads(trace)),
        order_(outermost_calls_in_order(trace)),
        role_of_name_(trace.names.size(), Role::kUnknown),
        asked_(trace.names.size(), false) {}

  std::vector<StepPart> find() {
    std::vector<StepPart> parts(trace_.calls.size(), StepPart::kElsewhere);
    for (size_t start = 0; start < order_.size();) {
      size_t end = start + 1;
      while (end < order_.size() && step(end) == step(start)) ++end;
      if (step(start) != kNoStep) divide_step(start, end, parts);
      start = end;
    }
    for (size_t i = 0; i < parts.size(); ++i)  // outer calls come before the calls inside them
      if (trace_.calls[i].outer != kNoIndex) parts[i] = parts[trace_.calls[i].outer];
    return parts;
  }

 private:
  int32_t step(size_t at) const { return trace_.calls[order_[at]].step; }
  bool is_backward(const HostCall& call) const { return threads_[call.thread].is_backward; }

  Role role(uint32_t call) {
    const NameId name = work_.kernel[call];
    if (name == kNoName) return Role::kUnknown;
    if (!asked_[name]) role_of_name_[name] = role_of(trace_.names[name]);
    asked_[name] = true;
    return role_of_name_[name];
  }

  // Which calls lie after a backward pass, and inside a forward pass; and whether the first kernel after the pass is
  // a norm, because then norms clip there.
  void look_forward(size_t start, size_t end) {
    after_pass_.assign(end - start, false);
    norms_clip_.assign(end - start, false);
    inside_.assign(end - start, false);
    bool is_after_pass = false, is_first = false, clips = false, is_inside = false;
    for (size_t at = start; at < end; ++at) {
      const HostCall& call = trace_.calls[order_[at]];
      if (is_backward(call)) {
        if (computes(call)) is_after_pass = is_first = true, clips = is_inside = false;
        continue;
      }
      if (is_first && computes(call)) {
        clips = role(order_[at]) == Role::kNorm;
        is_first = false;
      }
      after_pass_[at - start] = is_after_pass;
      inside_[at - start] = is_inside;
      is_inside |= computes(call);
      norms_clip_[at - start] = clips;
    }
  }

  void divide_step(size_t start, size_t end, std::vector<StepPart>& parts) {
    look_forward(start, end);
    const Nanoseconds extra = trace_.steps[step(start)].extra_start;
    Role known = Role::kUnknown;
    bool has_pass = false;  // a backward pass comes later in the step
    int kernels = 0;        // kernels between here and that pass
    for (size_t at = end; at-- > start;) {
      const uint32_t index = order_[at];
      const HostCall& call = trace_.calls[index];
      if (call.start >= extra) {
        parts[index] = StepPart::kExtra;
      } else if (is_backward(call)) {
        if (!computes(call)) continue;
        known = Role::kUnknown;
        has_pass = true;
        kernels = 0;
      } else {
        const Role own = role(index);
        if (own == Role::kClips || (own == Role::kNorm && norms_clip_[at - start])) known = Role::kClips;
        if (own == Role::kUpdates) known = Role::kUpdates;
        kernels += computes(call);
        parts[index] = part(at - start, known, has_pass, kernels);
      }
    }
    const std::span<const uint32_t> calls(order_);
    find_checkpoints(trace_, work_, calls.subspan(start, end - start), parts);
    const size_t update = last_update(start, end, extra);
    find_results(trace_, work_, calls.subspan(update, end - update), parts);
  }

  // The last kernel that is known to update, after the last pass; `end`: there is none.
  size_t last_update(size_t start, size_t end, Nanoseconds extra) {
    for (size_t at = end; at-- > start;) {
      const HostCall& call = trace_.calls[order_[at]];
      if (call.start >= extra) continue;
      if (is_backward(call) && computes(call)) break;
      if (!is_backward(call) && role(order_[at]) == Role::kUpdates) return at;
    }
    return end;
  }

  StepPart part(size_t in_step, Role known, bool has_pass, int kernels) const {
    if (after_pass_[in_step] && known == Role::kClips) return StepPart::kClipping;
    if (after_pass_[in_step] && known == Role::kUpdates) return StepPart::kUpdate;
    if (!has_pass) return after_pass_[in_step] ? StepPart::kAfterLastPass : StepPart::kElsewhere;
    if (kernels <= kLossKernels) return StepPart::kBeforeBackward;
    return inside_[in_step] ? StepPart::kInForward : StepPart::kElsewhere;
  }

  const ProcessTrace& trace_;
  const LaunchedWork& work_;
  const std::vector<LaunchingThread> threads_;
  const std::vector<uint32_t> order_;
  std::vector<Role> role_of_name_;
  std::vector<bool> asked_;
  std::vector<bool> after_pass_, norms_clip_, inside_;  // for the calls of one step
};

}  // namespace

std::vector<StepPart> step_parts(const ProcessTrace& trace, const LaunchedWork& work) {
  return PartFinder(trace, work).find();
}

}  // namespace tauprof
