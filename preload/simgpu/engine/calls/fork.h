// What a fork does to the simulation: its threads and devices stay with the parent.
#pragma once

namespace simgpu {

// Called whenever something that a fork spoils is used for the first time; cheap afterwards.
void watch_forks();

// From the first use of a device or of the configuration on, a forked child is lost to CUDA.
void note_simulation_begun();
bool simulation_has_begun();

}  // namespace simgpu
