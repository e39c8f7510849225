// Names of results and callbacks, from NVIDIA's headers.
#pragma once

#include <cupti.h>

#include <cstdint>

namespace simgpu::cupti {

// Null: no such result.
const char* result_name(CUptiResult result);
// Null: no such callback, or a domain whose callbacks have no names.
const char* callback_name(CUpti_CallbackDomain domain, std::uint32_t cbid);

}  // namespace simgpu::cupti
