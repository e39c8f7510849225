// Copies micro-batches to the device.
#pragma once

#include <vector>

#include "batch_loader.h"
#include "edges.h"
#include "machine.h"

namespace training {

struct DeviceBatch {
  Batch batch;
  int slot = 0;  // equal slots have equal addresses
};

class InputPipeline {
 public:
  InputPipeline(Machine& machine, int device);
  ~InputPipeline();
  InputPipeline(const InputPipeline&) = delete;
  InputPipeline& operator=(const InputPipeline&) = delete;

  // The compute stream waits for the copy.
  DeviceBatch next();
  // To be called once all work that reads the batch is on the compute stream.
  void done(const DeviceBatch& batch);

 private:
  struct Slot {
    std::byte* memory = nullptr;
    cudaEvent_t copied = nullptr, used = nullptr;
  };

  void copy(const void* from, Slot& slot);

  Machine& machine_;
  BatchShape shape_;
  BatchLoader loader_;
  cudaStream_t own_stream_ = nullptr;
  cudaStream_t copy_stream_ = nullptr;
  std::vector<Slot> slots_;
  std::size_t next_slot_ = 0;
};

}  // namespace training
