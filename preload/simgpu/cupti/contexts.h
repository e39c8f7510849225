// Contexts as CUPTI names them: ids, made-up CUcontext handles, and the device of each.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>

namespace simgpu::cupti {

// 0 gives null.
CUcontext context_handle(std::uint32_t id);
// nullopt: null, or no context that exists.
std::optional<std::uint32_t> context_id(CUcontext handle);
std::optional<int> device_of_context(std::uint32_t id);

}  // namespace simgpu::cupti
