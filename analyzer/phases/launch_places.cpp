#include "phases/launch_places.h"

#include <algorithm>

#include "classify/optimizer_kernels.h"
#include "phases/behind_update.h"
#include "phases/call_order.h"
#include "steps/launching_threads.h"

namespace tauprof {
namespace {

bool computes(const HostCall& call) {
  return call.call_class == CallClass::kKernel || call.call_class == CallClass::kGemm;
}

enum class Role : uint8_t { kUnknown, kClips, kNorm, kUpdates };

// Of what the whole clipping consists where it works on one tensor after the other.
bool is_of_norms(std::string_view kernel) {
  return kernel.find("NormTwoOps") != kernel.npos || kernel.find("clamp_scalar") != kernel.npos;
}

Role role_of(std::string_view kernel) {
  switch (update_role(kernel)) {
    case UpdateRole::kClipping:
      return Role::kClips;
    case UpdateRole::kUpdate:
    case UpdateRole::kList:
    case UpdateRole::kScale:
      return Role::kUpdates;
    default:
      return is_of_norms(kernel) ? Role::kNorm : Role::kUnknown;
  }
}

class Places {
 public:
  Places(const ProcessTrace& trace, const LaunchedWork& work)
      : trace_(trace),
        work_(work),
        threads_(launching_threads(trace)),
        order_(outermost_calls_in_order(trace)),
        role_of_name_(trace.names.size(), Role::kUnknown),
        asked_(trace.names.size(), false) {}

  std::vector<RulePlace> find() {
    std::vector<RulePlace> places(trace_.calls.size(), RulePlace::kStep);
    for (size_t begin = 0; begin < order_.size();) {
      size_t end = begin + 1;
      while (end < order_.size() && step(end) == step(begin)) ++end;
      if (step(begin) != kNoStep) place_step(begin, end, places);
      begin = end;
    }
    for (size_t i = 0; i < places.size(); ++i)  // an outer call stands before those inside
      if (trace_.calls[i].outer != kNoIndex) places[i] = places[trace_.calls[i].outer];
    return places;
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

  // What lies behind each backward pass, and whether it begins with a norm: then norms clip there.
  void look_forward(size_t begin, size_t end) {
    behind_.assign(end - begin, false);
    norms_clip_.assign(end - begin, false);
    inside_.assign(end - begin, false);
    bool is_behind = false, is_first = false, clips = false, is_inside = false;
    for (size_t at = begin; at < end; ++at) {
      const HostCall& call = trace_.calls[order_[at]];
      if (is_backward(call)) {
        if (computes(call)) is_behind = is_first = true, clips = is_inside = false;
        continue;
      }
      if (is_first && computes(call)) {
        clips = role(order_[at]) == Role::kNorm;
        is_first = false;
      }
      behind_[at - begin] = is_behind;
      inside_[at - begin] = is_inside;
      is_inside |= computes(call);
      norms_clip_[at - begin] = clips;
    }
  }

  void place_step(size_t begin, size_t end, std::vector<RulePlace>& places) {
    look_forward(begin, end);
    const Nanoseconds extra = trace_.steps[step(begin)].extra_start;
    Role known = Role::kUnknown;
    bool has_pass = false;  // later in the step
    int kernels = 0;        // up to it
    for (size_t at = end; at-- > begin;) {
      const uint32_t index = order_[at];
      const HostCall& call = trace_.calls[index];
      if (call.start >= extra) {
        places[index] = RulePlace::kExtra;
      } else if (is_backward(call)) {
        if (!computes(call)) continue;
        known = Role::kUnknown;
        has_pass = true;
        kernels = 0;
      } else {
        const Role own = role(index);
        if (own == Role::kClips || (own == Role::kNorm && norms_clip_[at - begin])) known = Role::kClips;
        if (own == Role::kUpdates) known = Role::kUpdates;
        kernels += computes(call);
        places[index] = place(at - begin, known, has_pass, kernels);
      }
    }
    const std::span<const uint32_t> calls(order_);
    find_checkpoints(trace_, work_, calls.subspan(begin, end - begin), places);
    const size_t update = last_update(begin, end, extra);
    find_results(trace_, work_, calls.subspan(update, end - update), places);
  }

  // The last kernel that is known to update, behind the last pass; `end`: there is none.
  size_t last_update(size_t begin, size_t end, Nanoseconds extra) {
    for (size_t at = end; at-- > begin;) {
      const HostCall& call = trace_.calls[order_[at]];
      if (call.start >= extra) continue;
      if (is_backward(call) && computes(call)) break;
      if (!is_backward(call) && role(order_[at]) == Role::kUpdates) return at;
    }
    return end;
  }

  RulePlace place(size_t in_step, Role known, bool has_pass, int kernels) const {
    if (behind_[in_step] && known == Role::kClips) return RulePlace::kClip;
    if (behind_[in_step] && known == Role::kUpdates) return RulePlace::kUpdate;
    if (!has_pass) return behind_[in_step] ? RulePlace::kBehind : RulePlace::kStep;
    if (kernels <= kLossKernels) return RulePlace::kTurn;
    return inside_[in_step] ? RulePlace::kInside : RulePlace::kStep;
  }

  const ProcessTrace& trace_;
  const LaunchedWork& work_;
  const std::vector<LaunchingThread> threads_;
  const std::vector<uint32_t> order_;
  std::vector<Role> role_of_name_;
  std::vector<bool> asked_;
  std::vector<bool> behind_, norms_clip_, inside_;  // of the calls of one step
};

}  // namespace

std::vector<RulePlace> launch_places(const ProcessTrace& trace, const LaunchedWork& work) {
  return Places(trace, work).find();
}

}  // namespace tauprof
