// Starts and ends the recording: from the first real CUDA call to the end of the process.
#pragma once

namespace tauprof::capture {

// Called by the library's constructor. Returns whether this process may record at all.
bool prepare_session(bool is_preloaded);

// Called before the first real CUDA call, by its thread; threads that come meanwhile wait, but not without limit.
// `caller`: an address in the library or program that makes the call.
void start_session(const void* caller);

// Called after the first real call has returned: an exit handler registered now runs before the driver's own.
void after_first_call();

// Called after all exit handlers: writes what there is and closes the log. Together with the recorder's own exit
// handler it takes two seconds at most.
void end_session();

// Ends the recording, or makes sure that none starts: the program is about to take from all threads what it needs.
void end_session_now(const char* reason);

// The process is about to replace itself, if that succeeds: writes what there is, and that. Waits half a second at
// most. False: there is no recording to end.
bool write_before_exec();

// As both the exit handler and end_session(), for a process that ends without running its exit handlers.
void end_session_at_once();

}  // namespace tauprof::capture
