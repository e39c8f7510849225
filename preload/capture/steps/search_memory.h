// Memory for a search for steps, which uses the C++ library's vectors: an arena that grows while the search runs and is
// released as a whole when it is over. A search that needs more than the arena holds ends at once.
#pragma once

#include <stddef.h>

namespace tauprof::capture {

// Runs `work`. False: it ran out of memory and did not finish. One thread at a time.
bool with_search_memory(void (*work)(void*), void* argument);

// Only while `work` runs. Aligned for any type.
void* take_search_memory(size_t bytes);
// Ends the search. Only while `work` runs.
[[noreturn]] void end_search();

}  // namespace tauprof::capture
