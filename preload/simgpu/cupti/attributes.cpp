// The table of attributes.
#include "simgpu/cupti/attributes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <mutex>

#include "simgpu/cupti/session.h"

namespace simgpu::cupti {
namespace {

struct Attribute {
  CUpti_ActivityAttribute id;
  std::size_t size;
  std::uint64_t value;  // initially the default
};

std::mutex mutex;
Attribute attributes[] = {
    {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, sizeof(std::size_t), 3200000},
    {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_CDP, sizeof(std::size_t), 8388608},
    {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, sizeof(std::size_t), 250},
    {CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, sizeof(std::uint8_t), 0},
    {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, sizeof(std::size_t), 3},
    {CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, sizeof(std::uint8_t), 0},
    {CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, sizeof(std::uint8_t), 1},
    {CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_DEVICE_GRAPHS, sizeof(std::size_t), 16777216},
};

// Null: no such attribute, or no longer supported.
Attribute* find(CUpti_ActivityAttribute id) {
  const auto found =
      std::find_if(std::begin(attributes), std::end(attributes), [&](const Attribute& a) { return a.id == id; });
  return found == std::end(attributes) ? nullptr : &*found;
}

void apply(const Attribute& attribute) {
  ActivityBuffers& buffers = Session::get().buffers;
  if (attribute.id == CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER) buffers.client_zeroes = attribute.value != 0;
  if (attribute.id == CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER) buffers.per_thread = attribute.value != 0;
}

bool is_retired(CUpti_ActivityAttribute id) {
  return id == CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_SIZE ||
         id == CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_LIMIT ||
         id == CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE;
}

// Finds the attribute; fails if it cannot be used.
CUptiResult check(CUpti_ActivityAttribute id, const std::size_t* size, const void* value, Attribute** out) {
  if (!size || !value) return CUPTI_ERROR_INVALID_PARAMETER;
  if (is_retired(id)) return CUPTI_ERROR_NOT_SUPPORTED;
  *out = find(id);
  if (!*out) return CUPTI_ERROR_INVALID_PARAMETER;
  return *size < (*out)->size ? CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT : CUPTI_SUCCESS;
}

}  // namespace

CUptiResult get_attribute(CUpti_ActivityAttribute id, std::size_t* size, void* value) {
  const std::lock_guard lock(mutex);
  Attribute* attribute = nullptr;
  if (const CUptiResult error = check(id, size, value, &attribute)) return error;
  std::memcpy(value, &attribute->value, attribute->size);
  *size = attribute->size;
  return CUPTI_SUCCESS;
}

CUptiResult set_attribute(CUpti_ActivityAttribute id, const std::size_t* size, const void* value) {
  const std::lock_guard lock(mutex);
  Attribute* attribute = nullptr;
  if (const CUptiResult error = check(id, size, value, &attribute)) return error;
  attribute->value = 0;
  std::memcpy(&attribute->value, value, attribute->size);
  apply(*attribute);
  return CUPTI_SUCCESS;
}

}  // namespace simgpu::cupti
