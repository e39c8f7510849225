// Variables in device memory that a program's modules have registered (__device__, __constant__, __managed__). A
// variable gets memory on a device at its first use there.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace simgpu {

struct VariableSpan {
  char* address = nullptr;
  std::size_t bytes = 0;
};

// The variable on the calling thread's device; cudaErrorInvalidSymbol if `symbol` names none.
cudaError_t find_variable(const void* symbol, VariableSpan* out);

// The part that a copy of `count` bytes at `offset` touches.
cudaError_t find_variable_part(const void* symbol, std::size_t offset, std::size_t count, char** out);

// Allocates the module's managed variables, which host code reads through a pointer.
void place_managed_variables(void** module);

}  // namespace simgpu
