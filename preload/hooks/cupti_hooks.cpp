#include <cupti.h>

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
