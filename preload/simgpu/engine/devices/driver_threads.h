// The driver's own threads. They do nothing, but a process has them from its first context until its end: one whose
// `main` leaves by pthread_exit stays, and who counts or lists the threads of the process finds them.
#pragma once

namespace simgpu {

// Call once in a process, when its first context is made. A forked child has none.
void start_driver_threads();

}  // namespace simgpu
