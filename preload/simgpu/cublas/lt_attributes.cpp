#include "simgpu/cublas/lt_attributes.h"

#include <cstring>

namespace simgpu {
namespace {

const Attribute* find_attribute(std::span<const Attribute> table, std::size_t state_bytes, int id) {
  for (const auto& attribute : table) {
    if (attribute.id == id) return attribute.offset + attribute.bytes <= state_bytes ? &attribute : nullptr;
  }
  return nullptr;
}

}  // namespace

cublasStatus_t set_attribute(std::span<const Attribute> table, void* state, std::size_t state_bytes, int id,
                             const void* value, std::size_t bytes) {
  const auto* attribute = state ? find_attribute(table, state_bytes, id) : nullptr;
  if (!attribute || !value || bytes != attribute->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(static_cast<std::byte*>(state) + attribute->offset, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t get_attribute(std::span<const Attribute> table, const void* state, std::size_t state_bytes, int id,
                             void* value, std::size_t bytes, std::size_t* written) {
  const auto* attribute = state ? find_attribute(table, state_bytes, id) : nullptr;
  if (!attribute) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes == 0) {
    if (!written) return CUBLAS_STATUS_INVALID_VALUE;
    *written = attribute->bytes;
    return CUBLAS_STATUS_SUCCESS;
  }
  if (!value || bytes != attribute->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, static_cast<const std::byte*>(state) + attribute->offset, bytes);
  if (written) *written = bytes;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace simgpu
