#include <cupti.h>

#include "capture/device/cupti_subscription.h"
#include "hooks/hook_kinds.h"
#include "hooks/wrapper.h"

namespace tauprof::hooks {
namespace {

// The recorder calls CUPTI by addresses of its own, so whoever calls the hook is another profiler.
struct TakesCupti : Fact {
  template <class Arguments>
  static void before(ThreadState& thread, const Arguments&) {
    const capture::OwnCalls own;
    capture::device_activity.other_user(capture::function_name(thread.function));
  }
};

// The parameters of a subscription show whether it allows other subscribers.
struct Subscribes : Fact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    const capture::OwnCalls own;
    const bool allows_others = capture::CuptiSubscription::allows_others(argument<3>(arguments));
    capture::device_activity.other_subscribed(result == CUPTI_SUCCESS, allows_others);
  }
};

struct Unsubscribes : Fact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments&) {
    const capture::OwnCalls own;
    if (result == CUPTI_SUCCESS) capture::device_activity.other_unsubscribed();
  }
};

struct SetsCuptiClock : Fact {
  template <class Arguments>
  static void before(ThreadState&, const Arguments& arguments) {
    capture::device_activity.other_clock(argument<0>(arguments));
  }
};

}  // namespace
}  // namespace tauprof::hooks

#define TAUPROF_HOOK(name, declared, ...) TAUPROF_EXPAND_HOOK(name, declared, CUPTI_ERROR_NOT_INITIALIZED, __VA_ARGS__)
#include "hooks/cupti.def"
