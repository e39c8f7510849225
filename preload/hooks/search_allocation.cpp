// What the C++ library's headers ask of its code, which is not linked: allocation, for the search for steps alone, and
// what happens when that fails. Local to this library.
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
