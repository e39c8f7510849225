#include "capture/device/announced_calls.h"

#include "capture/rings/hook_info.h"
#include "capture/rings/ring_pool.h"

namespace tauprof::capture {
namespace {

const TickScale* g_scale;

}  // namespace

void use_scale_for_announced_calls(const TickScale& scale) { g_scale = &scale; }

LaunchCalls::Announced announced_call(uint32_t os_id) {
  const uint32_t slots = ring_pool.slots();
  for (uint32_t i = 0; i < slots; ++i) {
    const RingPool::Slot& slot = ring_pool.slot(i);
    Ring::AnnouncedCall call;
    if (slot.os_id != os_id || __atomic_load_n(&slot.state, __ATOMIC_ACQUIRE) != RingPool::Slot::kLive) continue;
    if (slot.ring.announced(call)) return {g_scale->to_ns(call.start), kHookInfos[call.function].may_launch};
  }
  return {};
}

}  // namespace tauprof::capture
