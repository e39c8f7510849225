// See scratch.h.
#include "scratch.h"

#include "checks.h"

namespace training {

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this == &other) return *this;
  release();
  owner_ = other.owner_;
  memory_ = std::exchange(other.memory_, nullptr);
  bytes_ = other.bytes_;
  return *this;
}

void Buffer::release() {
  if (memory_ != nullptr) owner_->give_back(std::exchange(memory_, nullptr), bytes_);
}

Scratch::Scratch(const std::string& way, cudaStream_t stream)
    : way_(way == "kept"   ? Way::Kept
           : way == "pool" ? Way::Pool
                           : Way::Malloc),
      stream_(stream) {}

Scratch::~Scratch() {
  free_all_kept();
  for (void* memory : lost_) check(cudaFree(memory), "cudaFree");
}

Buffer Scratch::take_bytes(std::size_t bytes) {
  std::vector<void*>& kept = kept_[bytes];
  if (kept.empty()) return {*this, allocate(bytes), bytes};
  void* memory = kept.back();
  kept.pop_back();
  return {*this, memory, bytes};
}

void Scratch::lose(std::size_t bytes) { lost_.push_back(allocate(bytes)); }

void Scratch::give_back(void* memory, std::size_t bytes) {
  switch (way_) {
    case Way::Kept:
      return kept_[bytes].push_back(memory);
    case Way::Malloc:
      return check(cudaFree(memory), "cudaFree");
    case Way::Pool:
      return check(cudaFreeAsync(memory, stream_), "cudaFreeAsync");
  }
}

// As frameworks do: when memory runs out, unused kept memory is freed (each cudaFree waits for the device), leaked
// memory is found again, and the allocation is retried.
void* Scratch::allocate(std::size_t bytes) {
  const auto attempt = [&](void** memory) {
    return way_ == Way::Pool ? cudaMallocAsync(memory, bytes, stream_) : cudaMalloc(memory, bytes);
  };
  void* memory = nullptr;
  const cudaError_t result = attempt(&memory);
  if (result == cudaSuccess) return memory;
  if (result != cudaErrorMemoryAllocation) check(result, "cudaMalloc");
  cudaGetLastError();
  free_all_kept();
  for (void* lost : lost_) check(cudaFree(lost), "cudaFree");
  lost_.clear();
  check(attempt(&memory), "cudaMalloc");
  return memory;
}

void Scratch::free_all_kept() {
  for (auto& [bytes, memories] : kept_) {
    for (void* memory : memories) check(cudaFree(memory), "cudaFree");
    memories.clear();
  }
}

}  // namespace training
