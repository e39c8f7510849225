// Sets memory in up to three dimensions to one value.
#pragma once

#include <cstddef>

#include "simgpu/engine/copy.h"
#include "simgpu/engine/operation.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

struct Fill {
  void* destination = nullptr;
  unsigned value = 0;
  std::size_t element_bytes = 1;
  std::size_t width = 0;  // elements
  std::size_t height = 1;
  std::size_t depth = 1;
  std::size_t pitch = 0;  // bytes from row to row
  std::size_t rows = 1;   // from slice to slice
};

SIMGPU_API cudaError_t submit_fill(const Fill& fill, const CopyOrder& order);
// Checks the fill and returns the operation without queueing it, for a graph node.
SIMGPU_API cudaError_t make_fill_request(const Fill& fill, bool is_async, OperationRequest* out);

}  // namespace simgpu
