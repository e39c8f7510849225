// Ids and handles of contexts.
#include "simgpu/cupti/contexts.h"

#include "simgpu/engine/device.h"

namespace simgpu::cupti {
namespace {

// A range of addresses that nothing else in the simulator uses. Handles are never dereferenced.
constexpr std::uintptr_t kFirstHandle = 0xc7c70000;
constexpr std::uintptr_t kStride = 16;

}  // namespace

CUcontext context_handle(std::uint32_t id) {
  return id == 0 ? nullptr : reinterpret_cast<CUcontext>(kFirstHandle + id * kStride);
}

std::optional<std::uint32_t> context_id(CUcontext handle) {
  const std::uintptr_t value = reinterpret_cast<std::uintptr_t>(handle);
  if (value <= kFirstHandle || value % kStride != 0) return std::nullopt;
  const std::uintptr_t id = (value - kFirstHandle) / kStride;
  if (id > UINT32_MAX || !device_of_context(static_cast<std::uint32_t>(id))) return std::nullopt;
  return static_cast<std::uint32_t>(id);
}

std::optional<int> device_of_context(std::uint32_t id) {
  for (int device = 0; id != 0 && device < device_count(); ++device) {
    if (existing_context(device) == id) return device;
  }
  return std::nullopt;
}

}  // namespace simgpu::cupti
