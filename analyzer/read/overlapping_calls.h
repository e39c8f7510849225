// Threads that a trace takes for one.
//
// A thread makes one call at a time: a call lies inside of another or comes after it, and none launches work inside of
// one that waits. Where calls under one number overlap otherwise, they are of several threads, as where a trace has a
// thread made anew for each checkpoint under the number of the first. Who takes them for one has the second checkpoint
// wait for the first.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Gives calls that one thread cannot have made further threads, at the end of trace.threads. The calls are sorted, and
// are so afterwards.
void part_overlapping_calls(ProcessTrace& trace);

}  // namespace tauprof
