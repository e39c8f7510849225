// The two threads of the simulation. Both start when first needed and sleep while nobody depends on them.
//
// The engine's thread works the timeline off for those who cannot do it themselves: peers in other processes that wait
// for this one's collectives, and host functions. The callback thread runs host functions, which may take long.
#pragma once

namespace simgpu {

// With the engine's lock held: something was submitted that somebody outside waits for.
void wake_engine_thread();
void wake_callback_thread();

}  // namespace simgpu
