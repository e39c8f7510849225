// cuDNN handles: a device and a stream.
#pragma once

#include <memory>

#include "simgpu/cudnn/cudnn_types.h"
#include "simgpu/engine/call.h"

namespace simgpu::cudnn {

struct Handle {
  int device = 0;
  cudaStream_t stream = nullptr;
};

// Null: no such handle.
std::shared_ptr<Handle> find_handle(const void* handle);

Status status_of(cudaError_t error);

// Keeps the message for cudnnGetLastErrorString on this thread, and returns the status.
Status fail(Status status, const char* message);

// The body of an exported function that takes a handle.
template <typename Body>
Status enter(const ApiFunction& function, const void* handle, Body&& body) {
  ApiCall call(function);
  const std::shared_ptr<Handle> found = is_forked_child() ? nullptr : find_handle(handle);
  if (found == nullptr) return call.leave(fail(kNotInitialized, "no such handle"));
  return call.leave(body(*found));
}

}  // namespace simgpu::cudnn

#define CUDNN_FUNCTION(name) \
  static const simgpu::ApiFunction function { #name, simgpu::ApiDomain::Library }
