#include "capture/steps/step_follower.h"

#include <string.h>
#include <sys/prctl.h>

namespace tauprof::capture {

bool StepFollower::take(StepEvent event, bool is_backward_thread) {
  uint32_t state = __atomic_load_n(&state_, __ATOMIC_RELAXED);
  switch (event) {
    case StepEvent::kTail:
      return false;
    case StepEvent::kNearUpdate:
      if (state >= kBehindBackward && !is_backward_thread)
        __atomic_store_n(&state_, kAfterBackward + kUpdateLaunches, __ATOMIC_RELAXED);
      return false;
    case StepEvent::kUpdate:
      __atomic_store_n(&state_, kAfterUpdate, __ATOMIC_RELAXED);
      return false;
    case StepEvent::kWork:
    case StepEvent::kCollective:
      if (state == kAfterUpdate) break;
      if (is_backward_thread)
        __atomic_store_n(&state_, kAfterBackward, __ATOMIC_RELAXED);
      else if (event == StepEvent::kWork && state >= kAfterBackward && state < kAfterBackward + kUpdateLaunches)
        __atomic_store_n(&state_, state + 1, __ATOMIC_RELAXED);
      return false;
    case StepEvent::kInputCopy:
      if (state == kAfterUpdate || state == kAfterBackward + kUpdateLaunches) break;
      // The next micro-batch, whose kernels prove nothing; or what clipping needs.
      if (state != kInStep) __atomic_store_n(&state_, kBehindBackward, __ATOMIC_RELAXED);
      return false;
  }
  // Of several threads that come here at once, one begins the step.
  return __atomic_compare_exchange_n(&state_, &state, kInStep, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

bool is_backward_thread() {
  static __thread uint8_t known __attribute__((tls_model("initial-exec")));  // 0: not asked, 1: no, 2: yes
  if (known == 0) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    known = strncmp(name, "pt_autograd", strlen("pt_autograd")) == 0 ? 2 : 1;
  }
  return known == 2;
}

}  // namespace tauprof::capture
