// Copies of memory in up to three dimensions, and when the host waits for them.
//
// The rules are from "API synchronization behavior" in the CUDA Runtime API documentation; those for small copies are
// from the programming guide. The host waits
//   pageable host to device   until the memory is staged: at once up to 64 KB, else when the copy is done
//   pinned host to device     for cudaMemcpy, not for cudaMemcpyAsync
//   device to pageable host   always
//   device to pinned host     for cudaMemcpy, not for cudaMemcpyAsync
//   host to host              always
//   device to device, peers   never
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "simgpu/engine/operation.h"
#include "simgpu/engine/stream.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

struct Copy {
  void* destination = nullptr;
  const void* source = nullptr;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  std::size_t width = 0;  // bytes per row
  std::size_t height = 1;
  std::size_t depth = 1;
  std::size_t destination_pitch = 0;  // bytes from row to row
  std::size_t source_pitch = 0;
  std::size_t destination_rows = 1;  // from slice to slice
  std::size_t source_rows = 1;
};

SIMGPU_API Copy flat_copy(void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind);

struct CopyOrder {
  cudaStream_t stream = nullptr;
  DefaultStream default_stream = DefaultStream::Legacy;
  bool is_async = true;
};

// Checks the copy, queues it, and waits if the rules say so.
SIMGPU_API cudaError_t submit_copy(const Copy& copy, const CopyOrder& order);

// Checks the copy and returns the operation without queueing it, for a graph node.
SIMGPU_API cudaError_t make_copy_request(const Copy& copy, bool is_async, OperationRequest* out);

// The stream that an order names. Fails if nothing may be queued there: a blocking call on a stream being captured.
SIMGPU_API cudaError_t open_stream(const CopyOrder& order, StreamRef* out);

}  // namespace simgpu
