// The two threads of the simulation. Each starts with the first operation that needs it and sleeps while nobody
// depends on it.
//
// The engine's thread advances the timeline for those who cannot do it themselves: peers in other processes that wait
// for this one's collectives, and host functions. The callback thread runs host functions, which may take long.
#pragma once

namespace simgpu {

// Both need the engine's lock.

// Call after submitting an operation that another process or a host function waits for.
void wake_engine_thread();
// Call after submitting a host function. The timeline notifies the thread when it is due.
void start_callback_thread();

}  // namespace simgpu
