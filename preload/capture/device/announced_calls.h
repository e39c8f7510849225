// Asks the rings which call a thread has announced last. For the writer thread.
#pragma once

#include <stdint.h>

#include "capture/base/ticks.h"
#include "capture/device/launch_calls.h"

namespace tauprof::capture {

// With which announced_call() converts; it stays valid until the next call of this function.
void use_scale_for_announced_calls(const TickScale& scale);
LaunchCalls::Announced announced_call(uint32_t os_id);

}  // namespace tauprof::capture
