// Forks: the simulation's threads and devices stay with the parent.
#pragma once

namespace simgpu {

// Call before the first use of anything that a fork invalidates. Cheap after the first call.
void watch_forks();

// After the first use of a device or of the configuration, a forked child cannot use CUDA.
void note_simulation_started();
bool simulation_has_started();

}  // namespace simgpu
