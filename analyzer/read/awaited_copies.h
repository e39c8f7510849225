// Which asynchronous copies the host waits for.
//
// A copy from or to pinned memory returns at once; one from or to pageable memory takes until it is done, but for the
// last piece of it, which the driver has put aside. CUPTI says which memory it is, but not of every copy; and of
// pageable memory, too, a small copy need not be waited for. It may be done before its call returns although nobody
// waits for it, where calls are slow; so copies of one kind and size, by one function, wait only if not one of them ran
// on after its call, and the call then returns soon, by the length of the copy.
// Example, seen on an H200: copies of 9 MB that last 1.1 ms and end 17 us after their calls are waited for; copies of
// 2 KB that last 0.8 us and end 35 us before to 1.4 us after theirs are not.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Gives their calls CallClass::kAwaitedCopy. The spans must have their calls.
void find_awaited_copies(ProcessTrace& trace);

}  // namespace tauprof
