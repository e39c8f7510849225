#include "phases/launch_places.h"

#include <algorithm>

#include "classify/optimizer_kernels.h"
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
  Places(const ProcessTrace& trace, const std::vector<NameId>& kernel_of_call, const std::vector<bool>& copies_back)
      : trace_(trace),
        kernel_(kernel_of_call),
        copies_back_(copies_back),
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
    const NameId name = kernel_[call];
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
    find_save(begin, end, places);
  }

  // A checkpoint reads back behind the update.
  void find_save(size_t begin, size_t end, std::vector<RulePlace>& places) {
    const auto is_copy = [&](uint32_t call) { return places[call] == RulePlace::kBehind && copies_back_[call]; };
    const auto first = order_.begin() + begin, last = order_.begin() + end;
    if (std::count_if(first, last, is_copy) <= kMostResults) return;
    for (auto call = std::find_if(first, last, is_copy); call != last; ++call)
      if (places[*call] == RulePlace::kBehind) places[*call] = RulePlace::kSave;
  }

  RulePlace place(size_t in_step, Role known, bool has_pass, int kernels) const {
    if (behind_[in_step] && known == Role::kClips) return RulePlace::kClip;
    if (behind_[in_step] && known == Role::kUpdates) return RulePlace::kUpdate;
    if (!has_pass) return behind_[in_step] ? RulePlace::kBehind : RulePlace::kStep;
    if (kernels <= kLossKernels) return RulePlace::kTurn;
    return inside_[in_step] ? RulePlace::kInside : RulePlace::kStep;
  }

  const ProcessTrace& trace_;
  const std::vector<NameId>& kernel_;
  const std::vector<bool>& copies_back_;
  const std::vector<LaunchingThread> threads_;
  const std::vector<uint32_t> order_;
  std::vector<Role> role_of_name_;
  std::vector<bool> asked_;
  std::vector<bool> behind_, norms_clip_, inside_;  // of the calls of one step
};

}  // namespace

std::vector<RulePlace> launch_places(const ProcessTrace& trace, const std::vector<NameId>& kernel_of_call,
                                     const std::vector<bool>& copies_back) {
  return Places(trace, kernel_of_call, copies_back).find();
}

}  // namespace tauprof
