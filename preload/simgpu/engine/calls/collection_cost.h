// The overhead of a profiler's collection of records, as seen with CUPTI on an H200 (option cupti_disturbs):
//
//   the host     all code is slower by a factor, in calls and between them alike and in proportion to its length. The
//                factor changes: a state holds for 1 ms to 1 s, each with a factor of its own
//   a launch     takes a time of its own besides
//   the device   has a pause more between two operations of a stream
//
// Code between calls can be slowed only from inside calls. So an outermost call spins twice: where it is entered, for
// what its thread has computed since its last call returned, and before it returns, for what it has computed itself.
// Both are taken from the thread's CPU clock, which stands while a thread waits or sleeps: these take as long as ever.
// With a factor of 2, a program that computes 10 µs, makes a call of 2 µs and waits in it for 50 µs takes 10 + 10 + 2 +
// 2 + 50 µs.
#pragma once

#include "simgpu/engine/calls/calling_thread.h"
#include "simgpu/engine/clock.h"

namespace simgpu {

// The calling thread's CPU clock.
Nanoseconds thread_cpu();

// Nearly free without the option.
void charge_code_before_call(CallingThread& thread);
void charge_call(CallingThread& thread);

// The pause before an operation that is submitted now, besides `dependency_gap`.
Nanoseconds collection_pause();

}  // namespace simgpu
