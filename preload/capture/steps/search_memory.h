// Memory for a search for steps, which is written with the C++ library's vectors: a stretch of its own that grows while
// the search runs and is given back as a whole when it is over. A search that wants more than there is ends at once.
#pragma once

#include <stddef.h>

namespace tauprof::capture {

// Runs it. False: there was not enough memory, and it did not come to its end. One thread at a time.
bool with_search_memory(void (*work)(void*), void* argument);

// Within it: aligned for everything.
void* take_search_memory(size_t bytes);
// Ends the search.
[[noreturn]] void end_search();

}  // namespace tauprof::capture
