// Device memory for activations.
//
// A buffer returns its memory when it is destroyed. Kept memory can be reused at once although the device may still
// read it, because all users are ordered by one stream; frameworks do the same. The two alternatives, cudaMalloc and
// cudaFree each time or a stream-ordered pool, exist for comparison.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernels/element.h"

namespace training {

class Scratch;

class Buffer {
 public:
  Buffer() = default;
  Buffer(Scratch& owner, void* memory, std::size_t bytes) : owner_(&owner), memory_(memory), bytes_(bytes) {}
  ~Buffer() { release(); }
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;

  Element* elements() const { return static_cast<Element*>(memory_); }
  float* floats() const { return static_cast<float*>(memory_); }
  explicit operator bool() const { return memory_ != nullptr; }

 private:
  void release();

  Scratch* owner_ = nullptr;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

class Scratch {
 public:
  enum class Way { Kept, Malloc, Pool };

  Scratch(const std::string& way, cudaStream_t stream);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Buffer take_bytes(std::size_t bytes);
  Buffer take(std::size_t elements) { return take_bytes(elements * sizeof(Element)); }
  Buffer take_floats(std::size_t floats) { return take_bytes(floats * sizeof(float)); }

  // Leaks memory.
  void lose(std::size_t bytes);

 private:
  friend class Buffer;
  void give_back(void* memory, std::size_t bytes);
  void* allocate(std::size_t bytes);
  void free_all_kept();

  Way way_;
  cudaStream_t stream_;
  std::map<std::size_t, std::vector<void*>> kept_;
  std::vector<void*> lost_;
};

}  // namespace training
