// For what operator new itself keeps: it must not call itself.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

namespace tauprof {

template <class T>
struct MallocAllocator {
  using value_type = T;

  MallocAllocator() = default;
  template <class U>
  MallocAllocator(const MallocAllocator<U>&) {}

  T* allocate(size_t count) {
    if (void* const memory = std::malloc(count * sizeof(T))) return static_cast<T*>(memory);
    throw std::bad_alloc();
  }
  void deallocate(T* memory, size_t) { std::free(memory); }
  friend bool operator==(const MallocAllocator&, const MallocAllocator&) { return true; }
};

}  // namespace tauprof
