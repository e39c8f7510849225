// Buffers and windows that are registered with communicators. For collectives whose buffers lie in windows that all
// ranks registered as symmetric, NCCL has kernels of their own: here all-reduce, all-gather and reduce-scatter.
#pragma once

#include <nccl.h>

#include <cstddef>
#include <cstdint>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

struct Registration {
  std::uint64_t communicator = 0;  // its number
  const void* buffer = nullptr;
  std::size_t bytes = 0;
  bool is_symmetric = false;
};

// Returns the handle.
std::uintptr_t add_registration(const Registration& registration);
// False: the communicator has no such registration.
bool remove_registration(const Communicator& communicator, const void* handle);

// Whether a symmetric kernel runs these calls.
bool are_symmetric(const Communicator& communicator, const std::vector<Message>& messages);

}  // namespace simgpu::nccl
