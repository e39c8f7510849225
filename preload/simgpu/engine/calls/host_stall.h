// Injected stalls of the host: the first call after a window has begun blocks until the window ends.
#pragma once

namespace simgpu {

// Once per outermost call; nearly free where none is injected.
void serve_host_stall();

}  // namespace simgpu
