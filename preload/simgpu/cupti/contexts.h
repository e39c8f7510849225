// Contexts in CUPTI: their ids, made-up CUcontext handles and devices.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>

namespace simgpu::cupti {

// Null for 0.
CUcontext context_handle(std::uint32_t id);
// nullopt if the handle is null or no context exists.
std::optional<std::uint32_t> context_id(CUcontext handle);
std::optional<int> device_of_context(std::uint32_t id);

}  // namespace simgpu::cupti
