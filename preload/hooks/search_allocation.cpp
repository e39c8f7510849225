// Functions that the headers of the C++ library call, which is not linked: allocation, which only the search for steps
// uses, and what happens when it fails. Local to this library.
#include <new>

#include "capture/steps/search_memory.h"

void* operator new(size_t size) { return tauprof::capture::take_search_memory(size); }
void operator delete(void*) noexcept {}
void operator delete(void*, size_t) noexcept {}

namespace std {

void __throw_length_error(const char*) { tauprof::capture::end_search(); }
void __throw_bad_alloc() { tauprof::capture::end_search(); }
void __throw_bad_array_new_length() { tauprof::capture::end_search(); }

}  // namespace std
