// A vector for the millions of records of a trace.
//
// Fresh memory is expensive: the kernel clears every page that it hands out, which takes as long as the analysis
// itself. So large blocks use huge pages, and the process keeps them for the next array instead of returning them to
// the kernel, until it says that they will not be needed.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace tauprof {

// Blocks of 4 MiB and more. allocate throws std::bad_alloc.
void* allocate_large(size_t bytes);
void deallocate_large(void* memory, size_t bytes);
// Gives the memory of all blocks that no array uses back to the kernel.
void give_back_large();
inline constexpr size_t kLargeBytes = 4u << 20;

template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes < kLargeBytes ? ::operator new(bytes) : allocate_large(bytes));
  }
  void deallocate(T* memory, size_t count) {
    const size_t bytes = count * sizeof(T);
    if (bytes < kLargeBytes)
      ::operator delete(memory);
    else
      deallocate_large(memory, bytes);
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};

template <class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

// Empties an array and lets go of its memory, which `array = {}` and clear() do not.
template <class Array>
void release(Array& array) {
  Array().swap(array);
}

}  // namespace tauprof
