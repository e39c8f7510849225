// Makes micro-batches in host memory, either ahead of their use on its own thread, or on demand.
#pragma once

#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "options.h"

namespace training {

// A micro-batch in contiguous memory: the features, then the tokens, then the targets.
struct BatchShape {
  int tokens, hidden;
  std::size_t feature_bytes() const;
  std::size_t token_bytes() const { return sizeof(std::int32_t) * static_cast<std::size_t>(tokens); }
  std::size_t bytes() const { return feature_bytes() + 2 * token_bytes(); }
};

class BatchLoader {
 public:
  // Loaders with different seeds give different tokens.
  BatchLoader(const Options& options, BatchShape shape, int rank, int seed, int device);
  ~BatchLoader();
  BatchLoader(const BatchLoader&) = delete;
  BatchLoader& operator=(const BatchLoader&) = delete;

  // The next micro-batch; blocks until it is loaded. It stays valid until `copied` has been called and `stream` has
  // reached that point.
  const void* next();
  void copied(cudaStream_t stream);

 private:
  enum class State : std::uint8_t { Free, Filled, Copying };
  struct Slot {
    std::byte* memory = nullptr;
    cudaEvent_t copied = nullptr;
    State state = State::Free;
    std::int64_t index = 0;  // of the micro-batch that it has, or will have
  };

  void serve(int first, int device);
  void load(Slot& slot, std::int64_t index);
  Slot& slot_of(std::int64_t index) { return slots_[index % slots_.size()]; }

  const Options& options_;
  BatchShape shape_;
  int rank_;
  int seed_;
  std::vector<Slot> slots_;
  std::int64_t taken_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::vector<std::thread> threads_;  // last, because they use the other members
};

}  // namespace training
