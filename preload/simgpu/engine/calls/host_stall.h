// Injected stalls of the host: the first call in a window blocks until the window ends.
#pragma once

namespace simgpu {

// Called once per outermost call. Nearly free if no stall is injected.
void serve_host_stall();

}  // namespace simgpu
