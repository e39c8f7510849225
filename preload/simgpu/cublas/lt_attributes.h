// Attributes of cublasLt's structs: where each is stored, and how all of them are set and read.
#pragma once

#include <cublas_api.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace simgpu {

struct Attribute {
  int id;
  std::uint32_t offset;
  std::uint32_t bytes;
};

// INVALID_VALUE: null, unknown to the struct, or of another size.
cublasStatus_t set_attribute(std::span<const Attribute> table, void* state, std::size_t state_bytes, int id,
                             const void* value, std::size_t bytes);
// With `bytes` 0, only sets `written` to the size that is needed.
cublasStatus_t get_attribute(std::span<const Attribute> table, const void* state, std::size_t state_bytes, int id,
                             void* value, std::size_t bytes, std::size_t* written);

}  // namespace simgpu
