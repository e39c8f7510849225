// A thread with a table of descriptors to itself. The program's files always get the lowest free number; a file that
// we open in the program's table, if only for microseconds, takes that number from a file that the program opens
// meanwhile. Nothing but our own file calls may run there: what NVIDIA's libraries open must be the program's.
//
// It needs close_range() (Linux 5.9). Without it, files are opened in the program's table (log/own_file.h).
#pragma once

#include <stdint.h>

namespace tauprof::capture {

// Sends the calling thread's file calls (log/file_calls.h) to a new thread. Returns its id by the kernel, 0 if there is
// none. One thread of a process at a time may call it.
uint32_t start_file_thread();
// To be called by the same thread: waits until the other one has ended, and file calls are made at once again.
void end_file_thread();

}  // namespace tauprof::capture
